/* storey: team */
/* When an idle worker stays awake: what it learns from waits, and what ends its staying awake.  The master's clock, the
   quota, the kind of host, whoever wants the processor, and time itself are simulated.  */
#include "team/stay_awake.h"
#include "patience_simulation.h"

enum { MASTER = 7, LATEST_NS = 2000000 };

static uint64_t master_ns = 1000000000;
static unsigned master_share; /* of the time, in percent */

uint64_t ghcomp_machine_thread_computed(int thread)
{
  EXPECT_NUMBER(thread, MASTER);
  return master_ns;
}

static void pass(uint64_t ns)
{
  time_ns += ns;
  master_ns += ns * master_share / 100;
}

static struct thread master, worker;

static void start_anew(void)
{
  crowded = quota = haskell = others = false;
  master_share = 100;
  yields = 0;
  store_relaxed(&master.kernel_thread, MASTER);
  worker.awake = (struct thread_awake){.master = &master};
}

/* A wait in which the worker sleeps.  */
static void sleep_for(uint64_t ns)
{
  worker.awake.patience.since = 0;
  ghcomp_stay_awake_before_sleep(&worker);
  pass(ns);
  ghcomp_stay_awake_learn(&worker);
}

/* Its usual spinning is spent.  Returns whether it goes on, once.  */
static bool goes_on(void)
{
  return ghcomp_stay_awake(&worker);
}

/* Tries until it stops, or until it has gone on for so long.  */
static bool goes_on_for(uint64_t ns)
{
  worker.awake.patience.since = 0;
  for (uint64_t end = time_ns + ns; time_ns < end; pass(60000))
    if (!goes_on())
      return false;
  return true;
}

static bool goes_on_at_all(void)
{
  worker.awake.patience.since = 0;
  return goes_on();
}

static void learns_from_a_wait_that_was_long_enough(void)
{
  start_anew();
  EXPECT(!goes_on_at_all());
  sleep_for(500000);
  EXPECT(goes_on_at_all());
}

static void stops_at_the_latest(void)
{
  start_anew();
  sleep_for(500000);
  EXPECT(!goes_on_for(50 * (uint64_t)LATEST_NS));
  EXPECT(time_ns - worker.awake.patience.since >= LATEST_NS);
  EXPECT(yields > 0);
}

static void is_patient_once(void)
{
  start_anew();
  sleep_for(500000);
  sleep_for(LATEST_NS + 500000);
  EXPECT(goes_on_at_all());
  sleep_for(LATEST_NS + 500000);
  EXPECT(!goes_on_at_all());
}

static void not_for_a_master_that_sleeps(unsigned share)
{
  start_anew();
  master_share = share;
  sleep_for(500000);
  EXPECT(!goes_on_at_all());
  master_share = 60;
  sleep_for(500000);
  EXPECT(goes_on_at_all());
  pass(60000);
  EXPECT(goes_on());
  master_share = share;
  pass(60000);
  EXPECT(!goes_on());
}

static void not_for_a_master_that_has_ended(void)
{
  start_anew();
  sleep_for(500000);
  EXPECT(goes_on_at_all());
  store_relaxed(&master.kernel_thread, 0);
  pass(60000);
  EXPECT(!goes_on());
  worker.awake.master = NULL;
  sleep_for(500000); /* asks for nobody's clock */
}

/* How many waits it sleeps through after others needed the processor.  */
static unsigned waits_without(void)
{
  unsigned waits = 0;
  sleep_for(500000);
  others = true;
  EXPECT(!goes_on_for(50 * (uint64_t)LATEST_NS));
  others = false;
  for (; !goes_on_at_all() && waits < 1000; waits++)
    sleep_for(1000);
  return waits;
}

static void leaves_the_processor_to_others(void)
{
  start_anew();
  for (unsigned expected = 4; expected <= 64; expected *= 2)
    EXPECT_NUMBER(waits_without(), expected + 1); /* the last teaches that it pays */
  EXPECT_NUMBER(waits_without(), 64 + 1);
}

static void forgets_others_that_have_gone(void)
{
  start_anew();
  EXPECT_NUMBER(waits_without(), 4 + 1);
  EXPECT(goes_on_for(LATEST_NS / 2));
  EXPECT_NUMBER(waits_without(), 8 + 1); /* too soon */
  EXPECT(goes_on_for(LATEST_NS - 200000));
  EXPECT(goes_on_for(LATEST_NS - 200000));
  EXPECT_NUMBER(waits_without(), 4 + 1);
}

static void not_where_it_is_not_allowed(void)
{
  bool *const reasons[] = {&crowded, &quota, &haskell};
  for (unsigned i = 0; i < 3; i++) {
    start_anew();
    *reasons[i] = true;
    sleep_for(500000);
    EXPECT_NUMBER(worker.awake.patience.left, 0);
    *reasons[i] = false;
    sleep_for(500000);
    EXPECT(goes_on_at_all());
    *reasons[i] = true;
    EXPECT(!goes_on_at_all());
    EXPECT(worker.awake.patience.since == 0); /* such a wait teaches nothing */
    *reasons[i] = false;
    EXPECT(goes_on_at_all());
    *reasons[i] = true; /* meanwhile */
    pass(60000);
    EXPECT(!goes_on());
  }
  start_anew();
  sleep_for(500000);
  ghcomp_parking_configure(0, NULL);
  EXPECT(!goes_on_at_all());
  ghcomp_parking_block_after(PARKING_USUAL);
  EXPECT(goes_on_at_all());
}

static void not_where_threads_share_the_processor(void)
{
  start_anew();
  sleep_for(500000);
  worker.waiter.shares_processor = true;
  EXPECT(!goes_on_at_all());
  worker.waiter.shares_processor = false;
  EXPECT(goes_on_at_all());
}

/* The system or a hypervisor takes the processor away, once for longer than it spins between two looks.  */
static void an_interruption_does_not_end_it(void)
{
  start_anew();
  sleep_for(500000);
  EXPECT(goes_on_at_all());
  pass(3 * (uint64_t)ghcomp_stay_awake_ns());
  EXPECT(goes_on());
}

static void not_while_tasks_may_come(void)
{
  static struct team team;
  start_anew();
  sleep_for(500000);
  worker.dock.team = &team;
  EXPECT(goes_on_at_all());
  store_relaxed(&team.any_deferred, true);
  pass(60000);
  EXPECT(!goes_on());
  EXPECT(!goes_on_at_all());
  worker.awake.patience.left = 0;
  sleep_for(500000);
  EXPECT_NUMBER(worker.awake.patience.left, 0);
  worker.dock.team = NULL;
}

int main(void)
{
  learns_from_a_wait_that_was_long_enough();
  stops_at_the_latest();
  is_patient_once();
  not_for_a_master_that_sleeps(0);
  not_for_a_master_that_sleeps(40);
  not_for_a_master_that_has_ended();
  leaves_the_processor_to_others();
  forgets_others_that_have_gone();
  not_where_it_is_not_allowed();
  not_where_threads_share_the_processor();
  an_interruption_does_not_end_it();
  not_while_tasks_may_come();
  return expect_result();
}
