/* storey: admission */
/* Short time slices: which masters have one, and when.  */
#include "admission_masters.h"

/* The processor time of all masters is one number here, so nobody looks at what one computes between its regions.  */
static void region(unsigned master, unsigned ns)
{
  masters[master].turn.looks_at_next = false;
  struct admitted got = ghcomp_admission_enter(&masters[master], 2, true, false);
  EXPECT_NUMBER(got.threads, 2);
  add_relaxed(&computed, 1000000);
  time_passes(ns);
  if (got.counted != 0)
    leave(master, got.counted);
}

static bool is_short(unsigned master)
{
  return load_relaxed(&masters[master].waiter.short_slice);
}

static void expect_changes(unsigned shortened, unsigned restored)
{
  EXPECT_NUMBER(load_relaxed(&slices_shortened), shortened);
  EXPECT_NUMBER(load_relaxed(&slices_restored), restored);
}

/* Regions until the thread has its usual slice again, at most 200.  */
static unsigned regions_until_usual(unsigned master)
{
  unsigned regions = 0;
  while (regions < 200 && is_short(master)) {
    region(master, 1000000);
    regions++;
  }
  return regions;
}

/* Two of four processors have Haskell threads, and another region the others.  */
static void crowded_regions(unsigned master, unsigned count)
{
  masters[3].turn.looks_at_next = false;
  EXPECT_NUMBER(enter(3, 2, true), 2);
  for (unsigned i = 0; i < count; i++) {
    masters[master].turn.looks_at_next = false;
    struct admitted got = ghcomp_admission_enter(&masters[master], 1, false, false);
    EXPECT_NUMBER(got.counted, got.threads);
    add_relaxed(&computed, 1000000);
    time_passes(1000000);
    leave(master, got.counted);
  }
  leave(3, 2);
}

static void beside_haskell(void)
{
  region(0, 1000000);
  expect_changes(0, 0);
  store_relaxed(&busy, 2);
  for (int i = 0; i < 100; i++)
    region(0, 1000000); /* alone beside Haskell threads */
  EXPECT(!is_short(0));
  crowded_regions(0, 7);
  EXPECT(!is_short(0));
  crowded_regions(0, 1);
  EXPECT(is_short(0) && !is_short(1));
  crowded_regions(0, 100);
  expect_changes(1, 0);
  EXPECT_NUMBER(regions_until_usual(0), 64);
  expect_changes(1, 1);
  store_relaxed(&busy, 0);
}

/* Now and then a region meets another one, as in a web service.  */
static void seldom_crowded(void)
{
  store_relaxed(&busy, 2);
  for (int i = 0; i < 100; i++) {
    crowded_regions(0, 1);
    for (int k = 0; k < 4; k++)
      region(0, 1000000);
  }
  EXPECT(!is_short(0));
  store_relaxed(&busy, 0);
  expect_changes(1, 1);
}

/* Threads that start afterwards may have inherited it; before, none has.  */
static void inherited(unsigned before)
{
  ghcomp_admission_slice_begin();
  EXPECT_NUMBER(load_relaxed(&slices_dropped), before);
}

/* A system without such slices is asked once, and not for the usual one.  */
static void refused(void)
{
  store_relaxed(&slices_refused, true);
  store_relaxed(&busy, 2);
  crowded_regions(1, 100);
  store_relaxed(&busy, 0);
  EXPECT_NUMBER(regions_until_usual(1), 64);
  expect_changes(2, 1);
  store_relaxed(&slices_refused, false);
}

/* Only masters that have others beside them.  */
static void not_needed(void)
{
  store_relaxed(&busy, 2);
  ghcomp_admission_count_masters(-5);
  for (int i = 0; i < 100; i++)
    region(3, 1000000);
  EXPECT(!is_short(3));
  ghcomp_admission_count_masters(5);
  store_relaxed(&busy, 0);
  expect_changes(2, 1);
}

/* The thread's regions take five times as long as it computes.  From then on no region takes a turn, and few are timed; the
   next one has a short slice all the same.  */
static void beside_other_programs(void)
{
  store_relaxed(&quota, false);
  for (int i = 0; i < 20 && !ghcomp_admission_payoff_others_compute(); i++)
    region(4, 5000000);
  EXPECT(ghcomp_admission_payoff_others_compute() && !is_short(4));
  EXPECT(masters[4].turn.untimed_left > 10);
  region(4, 5000000);
  EXPECT(is_short(4));
  region(5, 5000000);
  EXPECT(is_short(5));
  store_relaxed(&quota, true);
}

/* The others are still there, but no other master is.  */
static void alone_again(void)
{
  ghcomp_admission_count_masters(-5);
  EXPECT_NUMBER(regions_until_usual(5), 64);
  ghcomp_admission_count_masters(5);
}

/* As in a forked child.  */
static void usual_again(void)
{
  unsigned restored = load_relaxed(&slices_restored);
  ghcomp_admission_slice_change(&masters[4], false);
  ghcomp_admission_slice_change(&masters[4], false);
  EXPECT(!is_short(4));
  EXPECT_NUMBER(load_relaxed(&slices_restored), restored + 1);
}

int main(void)
{
  ghcomp_crew_kind = &no_crews;
  make_masters();
  ghcomp_admission_count_masters(6);
  time_passes(1);
  inherited(0);
  beside_haskell();
  inherited(1);
  seldom_crowded();
  refused();
  not_needed();
  beside_other_programs();
  alone_again();
  usual_again();
  return expect_result();
}
