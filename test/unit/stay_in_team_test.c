/* storey: team */
/* When a member that waits for its team spins on: what it learns from waits, and what ends its spinning.  The quota, the kind of host,
   whoever wants the processor, and time itself are simulated.  */
#include "team/stay_in_team.h"
#include "patience_simulation.h"

static void pass(uint64_t ns)
{
  time_ns += ns;
}

static struct team team;
static struct thread self;
static struct team_wait waiting = {.self = &self, .team = &team};

static void start_anew(void)
{
  crowded = quota = haskell = others = false;
  yields = 0;
  self.in_team = (struct patience){0};
  store_relaxed(&team.any_deferred, false);
}

/* A wait in which the member sleeps.  */
static void sleep_for(uint64_t ns)
{
  ghcomp_stay_in_team_before_sleep(&waiting.wait);
  pass(ns);
  ghcomp_stay_in_team_learn(&self);
}

enum { USUAL_NS = 60000 };
static uint64_t interrupted_ns; /* in each round of spinning, by the system or a hypervisor */

/* It waits for so long after its usual spinning, and spins for as long as it may.  Returns how long it spun.  */
static uint64_t spins_for(uint64_t ns)
{
  uint64_t begin = time_ns, end = time_ns + ns, spun;
  while (time_ns < end && ghcomp_stay_in_team(&waiting.wait))
    pass(USUAL_NS + interrupted_ns);
  spun = time_ns - begin;
  if (time_ns < end)
    sleep_for(end - time_ns);
  else
    ghcomp_stay_in_team_learn(&self);
  EXPECT(self.in_team.since == 0);
  return spun;
}

static void learns_from_a_sleep_that_was_short(void)
{
  start_anew();
  EXPECT_NUMBER(spins_for(500000), 0);
  EXPECT(spins_for(500000) >= 500000);
  EXPECT(yields >= 500000 / (USUAL_NS + 1000));
}

static void an_interruption_does_not_end_it(void)
{
  start_anew();
  sleep_for(500000);
  interrupted_ns = 100000;
  EXPECT(spins_for(500000) >= 500000);
  interrupted_ns = 0;
}

static void stops_at_the_latest_and_is_patient_once(void)
{
  start_anew();
  sleep_for(500000);
  for (unsigned i = 0; i < 2; i++) {
    uint64_t spun = spins_for(50000000);
    EXPECT(spun >= PATIENCE_LONGEST_NS && spun < PATIENCE_LONGEST_NS + 2 * USUAL_NS);
  }
  EXPECT_NUMBER(spins_for(50000000), 0);
}

static void a_short_wait_makes_it_patient_again(void)
{
  start_anew();
  sleep_for(500000);
  EXPECT(spins_for(50000000) != 0);
  EXPECT(spins_for(500000) >= 500000);
  EXPECT(spins_for(50000000) != 0);
  EXPECT(spins_for(50000000) != 0);
  EXPECT_NUMBER(spins_for(500000), 0);
}

/* 30 µs of theirs, and no wait more until so many have passed.  */
static void leaves_the_processor_to_others(void)
{
  for (unsigned expected = 4; expected <= 64; expected *= 2) {
    if (expected == 4) {
      start_anew();
      sleep_for(500000);
    }
    others = true;
    EXPECT(spins_for(500000) <= 35000);
    others = false;
    for (unsigned i = 1; i < expected; i++) /* that wait was the first */
      EXPECT_NUMBER(spins_for(500000), 0);
    EXPECT_NUMBER(spins_for(500000), 0); /* this one teaches that it pays */
  }
}

static void not_where_it_is_not_allowed(void)
{
  bool *const reasons[] = {&crowded, &quota, &haskell};
  for (unsigned i = 0; i < 3; i++) {
    start_anew();
    *reasons[i] = true;
    sleep_for(500000);
    EXPECT_NUMBER(self.in_team.left, 0);
    *reasons[i] = false;
    sleep_for(500000);
    EXPECT(spins_for(500000) != 0);
    *reasons[i] = true;
    EXPECT_NUMBER(spins_for(500000), 0);
  }
  start_anew();
  sleep_for(500000);
  store_relaxed(&team.any_deferred, true);
  EXPECT_NUMBER(spins_for(500000), 0);
  store_relaxed(&team.any_deferred, false);
  ghcomp_parking_configure(0, NULL);
  EXPECT_NUMBER(spins_for(500000), 0);
  ghcomp_parking_block_after(PARKING_USUAL);
  EXPECT(spins_for(500000) != 0);
}

static void not_where_threads_share_the_processor(void)
{
  start_anew();
  sleep_for(500000);
  self.waiter.shares_processor = true;
  EXPECT_NUMBER(spins_for(500000), 0);
  self.waiter.shares_processor = false;
  EXPECT(spins_for(500000) != 0);
}

int main(void)
{
  learns_from_a_sleep_that_was_short();
  an_interruption_does_not_end_it();
  stops_at_the_latest_and_is_patient_once();
  a_short_wait_makes_it_patient_again();
  leaves_the_processor_to_others();
  not_where_it_is_not_allowed();
  not_where_threads_share_the_processor();
  return expect_result();
}
