/* storey: team */
/* Which worker a master that is about to sleep keeps off the processor that it waits for, and when the master looks.
   Clocks, processors and affinity masks are simulated.  */
#include "team/team_wait.h"

#include "base/cycles.h"
#include "expect.h"

#include <stdlib.h>

enum { SIZE = 8, ELSEWHERE = 5000 }; /* no processor has this number */

static bool crowded, sharing, refused;
static unsigned processors = 4, looks, moved;
static int moved_thread;

bool ghcomp_parking_is_crowded(void)
{
  return crowded;
}

unsigned ghcomp_machine_processors(void)
{
  return processors;
}

bool ghcomp_admission_sharing_is_on(void)
{
  return sharing;
}

/* Even threads stand still, odd ones compute.  Those from 100 on have ended.  */
uint64_t ghcomp_machine_thread_computed(int thread)
{
  looks++;
  return thread < 100 ? 1000 + (thread % 2 != 0 ? looks : 0) : 0;
}

bool ghcomp_machine_keep_off(int thread, int processor)
{
  EXPECT_NUMBER(processor, ELSEWHERE);
  moved_thread = thread;
  moved += !refused;
  return !refused;
}

static struct thread threads[SIZE + 1];
static struct team *team;

/* All threads compute, on other processors.  The next look is due.  */
static void begin_anew(void)
{
  for (int i = 0; i <= SIZE; i++) {
    store_relaxed(&threads[i].kernel_thread, 11 + 2 * i);
    store_relaxed(&threads[i].computing_thread, 11 + 2 * i);
    store_relaxed(&threads[i].waiter.processor, ELSEWHERE);
    store_relaxed(&threads[i].waiter.park, AWAKE);
    store_relaxed(&threads[i].mail.kept_off, 0);
    threads[i].place_bound = 0;
  }
  team->size = SIZE;
  looks = moved = 0;
  moved_thread = 0;
  for (uint64_t until = cycles_now() + cycles_in(250000); cycles_now() < until;)
    ;
}

static void stand_still(int number)
{
  store_relaxed(&threads[number].kernel_thread, 10 + 2 * number);
  store_relaxed(&threads[number].computing_thread, 10 + 2 * number);
}

static void pull(void)
{
  ghcomp_pull_worker(&threads[0], team);
}

static uint64_t pulled(void)
{
  return load_relaxed(&threads[0].waiter.counters.count[STAT_THREADS_PULLED]);
}

static void who_stands_still(void)
{
  begin_anew();
  pull();
  EXPECT_NUMBER(moved, 0);
  begin_anew();
  stand_still(5);
  pull();
  EXPECT_NUMBER(moved, 1);
  EXPECT_NUMBER(moved_thread, 20);
  EXPECT_NUMBER(load_relaxed(&threads[5].mail.kept_off), ELSEWHERE + 1); /* until it has served */
  EXPECT_NUMBER(pulled(), 1);
  begin_anew();
  stand_still(5);
  refused = true; /* its mask has one processor only */
  pull();
  refused = false;
  EXPECT_NUMBER(moved_thread, 20);
  EXPECT_NUMBER(load_relaxed(&threads[5].mail.kept_off), 0);
  EXPECT_NUMBER(pulled(), 1);
}

static void nobody_else(void)
{
  begin_anew();
  team->size = 4;
  stand_still(0);                                 /* the caller itself */
  stand_still(1);
  store_relaxed(&threads[1].waiter.park, PARKED); /* it waits for something else */
  stand_still(2);
  store_relaxed(&threads[2].kernel_thread, 100);
  pull();
  EXPECT_NUMBER(moved, 0);
  begin_anew();
  stand_still(1);
  threads[1].place_bound = 1;
  pull();
  begin_anew();
  stand_still(1);
  store_relaxed(&threads[1].mail.kept_off, 3);    /* it is kept off another processor already */
  pull();
  EXPECT_NUMBER(moved, 0);
  EXPECT_NUMBER(load_relaxed(&threads[1].mail.kept_off), 3);
}

static void where_it_is_of_no_use(void)
{
  begin_anew();
  stand_still(1);
  crowded = true;
  pull();
  crowded = false;
  sharing = true;
  pull();
  sharing = false;
  processors = 1;
  pull();
  processors = 4;
  team->size = SIZE + 1; /* a large team */
  pull();
  EXPECT_NUMBER(looks, 0);
  EXPECT_NUMBER(moved, 0);
}

/* Neither after a move nor after a look that found nothing does the next look come at once.  A look asks a clock twice.  */
static void not_at_once_again(void)
{
  for (int stands = 0; stands < 2; stands++) {
    begin_anew();
    team->size = 2;
    if (stands)
      stand_still(1);
    uint64_t began = cycles_now(), now;
    do {
      pull();
      store_relaxed(&threads[1].mail.kept_off, 0);
      now = cycles_now();
    } while (looks < 8 && now < began + 10 * cycles_in(1000000000));
    EXPECT_NUMBER(looks, 8);
    EXPECT(cycles_to_ns(now - began) >= 3 * 100000);
  }
}

int main(void)
{
  team = calloc(1, sizeof *team + (SIZE + 1) * sizeof team->members[0]);
  for (unsigned i = 0; i <= SIZE; i++)
    team->members[i].thread = &threads[i];
  who_stands_still();
  nobody_else();
  where_it_is_of_no_use();
  not_at_once_again();
  free(team);
  return expect_result();
}
