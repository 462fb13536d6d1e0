/* storey: team */
/* Which workers a master keeps off its processor, how often in a row, and that they may return.
   The processor of each worker, and changes of affinity masks, are simulated.  */
#include "team/team_wait.h"
#include "expect.h"

#include <stdlib.h>

static bool crowded, computing, refused;
static unsigned kept_off, let_on, left;

bool ghcomp_parking_is_crowded(void)
{
  return crowded;
}

bool ghcomp_admission_masters_compute(void)
{
  return computing;
}

unsigned ghcomp_machine_processors(void)
{
  return 4;
}

void ghcomp_machine_leave_processor(int processor)
{
  (void)processor;
  left++;
}

bool ghcomp_machine_keep_off(int thread, int processor)
{
  EXPECT_NUMBER(thread, 7);
  EXPECT_NUMBER(processor, 2);
  kept_off += !refused;
  return !refused;
}

void ghcomp_machine_let_on(int processor)
{
  EXPECT_NUMBER(processor, 2);
  let_on++;
}

static struct thread master, workers[2];
static struct team *team;

/* A team of three: the master on processor 2, the workers on these.  */
static void fork_with(int first, int second)
{
  store_relaxed(&master.waiter.processor, 2);
  store_relaxed(&workers[0].waiter.processor, first);
  store_relaxed(&workers[1].waiter.processor, second);
  ghcomp_spread_keep_off(&master, team);
}

static void serve(void)
{
  for (unsigned i = 0; i < 2; i++)
    ghcomp_spread_let_on(&workers[i]);
}

static void begin_anew(void)
{
  serve();
  fork_with(0, 1); /* no worker is on the master's processor: the count starts anew */
  kept_off = let_on = 0;
}

static void only_who_is_beside_it(void)
{
  begin_anew();
  fork_with(2, 1);
  EXPECT_NUMBER(kept_off, 1);
  EXPECT_NUMBER(load_relaxed(&workers[0].mail.kept_off), 3);
  EXPECT_NUMBER(load_relaxed(&workers[1].mail.kept_off), 0);
  serve();
  EXPECT_NUMBER(let_on, 1);
  EXPECT_NUMBER(load_relaxed(&workers[0].mail.kept_off), 0);
  serve();
  EXPECT_NUMBER(let_on, 1); /* once */
}

/* A worker whose mask is not restored yet is left as it is.  */
static void not_twice_at_one_time(void)
{
  begin_anew();
  fork_with(2, 2);
  fork_with(2, 2);
  EXPECT_NUMBER(kept_off, 2);
  serve();
  EXPECT_NUMBER(let_on, 2);
}

static void ever_more_rarely(void)
{
  unsigned done[40];
  begin_anew();
  for (unsigned i = 1; i < 40; i++) {
    unsigned before = kept_off;
    fork_with(2, 1);
    serve();
    done[i] = kept_off - before;
  }
  for (unsigned i = 1; i < 40; i++)
    EXPECT_NUMBER(done[i], i <= SPREAD_IN_A_ROW || (i & (i - 1)) == 0);
  master.turn.just_waited = true; /* it wakes on another processor each time */
  fork_with(2, 1);
  EXPECT_NUMBER(load_relaxed(&workers[0].mail.kept_off), 3);
  serve();
  fork_with(2, 1); /* it did not wait again */
  EXPECT_NUMBER(load_relaxed(&workers[0].mail.kept_off), 0);
}

static void where_it_is_of_no_use(void)
{
  begin_anew();
  refused = true; /* its mask has one processor only */
  fork_with(2, 1);
  EXPECT_NUMBER(load_relaxed(&workers[0].mail.kept_off), 0);
  refused = false;
  crowded = true;
  fork_with(2, 1);
  crowded = false;
  workers[0].place_bound = 1;
  fork_with(2, 1);
  workers[0].place_bound = 0;
  store_relaxed(&workers[0].computing_thread, ABOUT_TO_COMPUTE); /* its thread has no number yet */
  fork_with(2, 1);
  store_relaxed(&workers[0].computing_thread, 7);
  team->within_processors = false;
  fork_with(2, 1);
  team->within_processors = team->active_level = true;
  EXPECT_NUMBER(kept_off, 0);
}

/* So many suspicions of a worker that always finds its master on its processor.  Returns how often it has left.  */
static unsigned moves_after(unsigned suspicions)
{
  workers[0].is_worker = true;
  left = workers[0].spread.suspicions = workers[0].spread.too_many_in_a_row = 0;
  for (unsigned i = 0; i < suspicions; i++) {
    store_relaxed(&master.waiter.processor, ghcomp_machine_here());
    ghcomp_spread_suspect(&workers[0], team);
  }
  return left;
}

static void worker_moves(void)
{
  EXPECT(moves_after(1000) > 3);
  computing = true;
  EXPECT(moves_after(1000) > 3); /* another processor is free */
  crowded = true;
  EXPECT_NUMBER(moves_after(1000), 0);
  computing = false;
  EXPECT(moves_after(1000) > 3);
  crowded = false;
}

int main(void)
{
  team = calloc(1, sizeof *team + 3 * sizeof team->members[0]);
  team->size = 3;
  team->within_processors = team->active_level = true;
  team->members[0].thread = &master;
  for (unsigned i = 0; i < 2; i++) {
    team->members[i + 1].thread = &workers[i];
    store_relaxed(&workers[i].computing_thread, 7);
  }
  only_who_is_beside_it();
  not_twice_at_one_time();
  ever_more_rarely();
  where_it_is_of_no_use();
  worker_moves();
  free(team);
  return expect_result();
}
