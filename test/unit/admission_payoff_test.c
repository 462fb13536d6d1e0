/* storey: admission */
/* Turns: whether they pay, by how long regions take and how long masters compute between them; and when they are tried
   again after they have left processors unused.  */
#include "admission_masters.h"

/* Returns whether the region is counted.  Its thread computes so long in it, and so long afterwards; and it waits in it for
   a processor.  */
static bool waiting_region(unsigned master, unsigned ns, unsigned between, unsigned waits)
{
  struct admitted got = ghcomp_admission_enter(&masters[master], 4, true, false);
  EXPECT_NUMBER(got.threads, 4);
  add_relaxed(&computed, ns);
  time_passes(ns + waits);
  if (got.counted != 0)
    leave(master, got.counted);
  add_relaxed(&computed, between);
  time_passes(between);
  return got.counted != 0;
}

static bool region(unsigned master, unsigned ns, unsigned between)
{
  return waiting_region(master, ns, between, 0);
}

static unsigned count_regions_until(unsigned master, bool counted, unsigned ns, unsigned between)
{
  unsigned regions = 0;
  while (regions < 1000 && region(master, ns, between) != counted)
    regions++;
  return regions;
}

static void brief(void)
{
  EXPECT(region(4, 5000, 0));
  EXPECT_NUMBER(count_regions_until(4, true, 5000, 0), 63);
  EXPECT(region(5, 5000, 0)); /* another master's may be long */
  for (unsigned timed = 0; timed < 9; timed++)
    count_regions_until(4, true, 5000000, 0);
  EXPECT(region(4, 5000000, 0));
}

/* Of one thread: such a region waits for no other thread, so a turn saves less.  */
static bool region_alone(unsigned master, unsigned ns)
{
  struct admitted got = ghcomp_admission_enter(&masters[master], 1, true, false);
  EXPECT_NUMBER(got.threads, 1);
  time_passes(ns);
  if (got.counted != 0)
    leave(master, got.counted);
  return got.counted != 0;
}

static void brief_alone(void)
{
  EXPECT(region_alone(3, 90000));
  unsigned without = 0;
  while (without < 1000 && !region_alone(3, 90000))
    without++;
  EXPECT_NUMBER(without, 63);
  for (unsigned timed = 0; timed < 9 * 64; timed++)
    region_alone(3, 200000);
  EXPECT(region_alone(3, 200000));
  EXPECT(region_alone(3, 200000));
  EXPECT(region(2, 90000, 0)); /* of several threads */
  EXPECT(region(2, 90000, 0));
}

/* Every second region is followed at once by the next, as FFTW's are.  */
static void until_turns_do_not_pay(unsigned ns, unsigned between)
{
  for (unsigned regions = 0; regions < 100 && !ghcomp_admission_payoff_is_none(); regions++) {
    region(0, ns, 0);
    region(0, ns, between);
  }
  EXPECT(ghcomp_admission_payoff_is_none() && ghcomp_admission_masters_compute());
}

static void computing_masters(void)
{
  until_turns_do_not_pay(1000000, 900000);
  /* Another master's regions begin although this one's has the processors; and those that are timed.  */
  count_regions_until(0, true, 1000000, 900000);
  EXPECT_NUMBER(count_regions_until(0, true, 1000000, 900000), 63);
  unsigned running = ghcomp_admission_enter(&masters[0], 4, true, false).counted;
  for (unsigned i = 0; i < 100; i++)
    region(1, 1000000, 900000);
  time_passes(1000000);
  if (running != 0)
    leave(0, running);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
  EXPECT(ghcomp_admission_payoff_is_none());
}

/* Without turns regions wait for each other's time slices.  This says nothing about their masters.  */
static void regions_that_wait(void)
{
  for (unsigned i = 0; i < 1000; i++)
    waiting_region(0, 1000000, 450000, 20000000);
  EXPECT(ghcomp_admission_payoff_is_none());
}

/* A master's first regions say so.  */
static void soon_known(void)
{
  ghcomp_admission_after_fork();
  ghcomp_admission_count_masters(4);
  unsigned regions = 0;
  masters[1].turn.looks_in = masters[1].turn.looks_after = 0;
  for (; regions < 100 && !ghcomp_admission_payoff_is_none(); regions += 2) {
    region(1, 1000000, 0);
    region(1, 1000000, 2100000);
  }
  EXPECT(regions <= 4);
}

static void masters_that_no_longer_compute(void)
{
  for (unsigned regions = 0; regions < 5000 && ghcomp_admission_payoff_is_none(); regions++)
    region(0, 1000000, 1000);
  EXPECT(region(0, 1000000, 1000));
}

/* The start of a short region takes a good part of its time.  */
static void short_regions_in_a_row(void)
{
  for (unsigned i = 0; i < 100; i++)
    EXPECT(region(0, 12000, 10000));
}

/* A thread that waits when turns end begins at once.  */
static void waiting_when_turns_end(void)
{
  pthread_t waiting;
  masters[2].turn.looks_at_next = false; /* the processor time of all masters is one number here */
  EXPECT_NUMBER(enter(1, 4, true), 4);
  store_relaxed(&begun, 0);
  waiting = start_waiting(2);
  masters[0].turn.computed = load_relaxed(&computed);
  masters[0].turn.looks_at_next = true;
  add_relaxed(&computed, 3000000000);
  masters[0].turn.untimed_left = 1;
  EXPECT_NUMBER(ghcomp_admission_enter(&masters[0], 4, true, false).counted, 0);
  EXPECT(ghcomp_admission_payoff_is_none());
  pthread_join(waiting, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  leave(1, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

static void region_each_ms(unsigned ms)
{
  for (unsigned i = 0; i < ms; i++) {
    masters[0].turn.untimed_left = 1; /* it takes no turn */
    region(0, 1000000, 0);
  }
}

/* Regions without turns.  Returns after how many milliseconds turns are tried again; 0:
   not within 4 s.  */
static unsigned wait_until_tried_again(void)
{
  for (unsigned ms = 1; ms <= 4000; ms++) {
    region_each_ms(1);
    if (!ghcomp_admission_payoff_is_none())
      return ms;
  }
  return 0;
}

static void expect_trial_after(unsigned ms)
{
  EXPECT_NUMBER((wait_until_tried_again() + 5) / 10, (ms + 5) / 10);
}

static void go_without(void)
{
  ghcomp_admission_payoff_leaves_unused();
  EXPECT(ghcomp_admission_payoff_is_unused() && ghcomp_admission_payoff_others_compute());
  EXPECT(!ghcomp_admission_masters_compute());
}

/* Turns leave processors unused, but regions without turns use nearly all of them.  */
static void nobody_else(void)
{
  ghcomp_admission_after_fork(); /* nothing is known */
  ghcomp_admission_count_masters(4);
  time_passes(1000000000);
  store_relaxed(&quota, true);
  ghcomp_admission_payoff_leaves_unused();
  EXPECT(!ghcomp_admission_payoff_is_unused());
  store_relaxed(&quota, false);
  store_relaxed(&process_share, 90);
  for (unsigned after = 50; after < 1600; after *= 2) {
    go_without();
    region_each_ms(22);
    EXPECT(ghcomp_admission_payoff_is_unused() && !ghcomp_admission_payoff_others_compute());
    expect_trial_after(after - 22);
  }
  time_passes(1100000000); /* a second of calm, and then as at first */
  go_without();
  expect_trial_after(50);
}

/* The process gets a part of the processors only: a trial would cost much.  */
static void others_compute(void)
{
  time_passes(1100000000);
  store_relaxed(&process_share, 60);
  go_without();
  region_each_ms(3000);
  EXPECT(ghcomp_admission_payoff_others_compute());
  expect_trial_after(50 + 100 + 200 + 400 + 800 + 1600 - 3000);
  EXPECT(!ghcomp_admission_payoff_others_compute());
  go_without();
  expect_trial_after(1600);
  store_relaxed(&process_share, 100);
  go_without();
  region_each_ms(30);
  EXPECT(ghcomp_admission_payoff_is_unused() && !ghcomp_admission_payoff_others_compute()); /* they have ended */
}

/* A region that may be smaller, while another one runs on three of the four processors.  */
static void expect_dynamic(unsigned threads, bool needs_all)
{
  ghcomp_admission_queue_lock();
  ghcomp_admission_queue_take(&masters[5], 3);
  ghcomp_admission_queue_unlock();
  for (unsigned untimed = 0; untimed < 2; untimed++) {
    masters[1].turn.untimed_left = untimed;
    struct admitted got = ghcomp_admission_enter(&masters[1], 4, false, false);
    EXPECT_NUMBER(got.threads, threads);
    EXPECT_NUMBER(got.needs_all, needs_all);
    EXPECT_NUMBER(got.counted, untimed == 0 ? threads : 0);
    if (got.counted != 0)
      leave(1, got.counted);
  }
  ghcomp_admission_queue_lock();
  ghcomp_admission_queue_put_back(&masters[5], 3);
  ghcomp_admission_queue_unlock();
}

static void dynamic_sizes(void)
{
  ghcomp_admission_after_fork();
  ghcomp_admission_count_masters(4);
  until_turns_do_not_pay(1000000, 900000);
  masters[1].turn.is_brief = masters[1].turn.looks_at_next = false;
  expect_dynamic(1, false);
  ghcomp_admission_payoff_leaves_unused();
  expect_dynamic(4, true);
}

static void forked(void)
{
  until_turns_do_not_pay(1000000, 900000);
  region(0, 1000000, 900000);
  masters[0].turn.looks_at_next = true;
  ghcomp_admission_after_fork();
  EXPECT(!ghcomp_admission_payoff_is_none());
  ghcomp_admission_count_masters(4);
  store_relaxed(&computed, 1); /* the clock of a new OS thread */
  region(0, 1000000, 0);
  region(0, 1000000, 0);
  EXPECT(!ghcomp_admission_payoff_is_none());
}

int main(void)
{
  set_up_masters();
  time_passes(0);
  brief();
  brief_alone();
  computing_masters();
  regions_that_wait();
  masters_that_no_longer_compute();
  short_regions_in_a_row();
  waiting_when_turns_end();
  nobody_else();
  others_compute();
  dynamic_sizes();
  forked();
  soon_known();
  return expect_result();
}
