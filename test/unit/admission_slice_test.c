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

static unsigned char slice_of(unsigned master)
{
  return load_relaxed(&masters[master].waiter.slice);
}

static bool is_short(unsigned master)
{
  return slice_of(master) != USUAL_SLICE;
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

/* Two of four processors have Haskell threads, and another region the others.  Returns how many regions took a turn.  */
static unsigned meeting_regions(unsigned master, unsigned count, unsigned ns)
{
  unsigned turns = 0;
  masters[3].turn.looks_at_next = false;
  store_relaxed(&busy, 0);
  EXPECT_NUMBER(enter(3, 2, true), 2);
  store_relaxed(&busy, 2);
  for (unsigned i = 0; i < count; i++) {
    masters[master].turn.looks_at_next = false;
    struct admitted got = ghcomp_admission_enter(&masters[master], 2, false, false);
    EXPECT_NUMBER(got.threads, got.counted != 0 ? 1 : 2); /* regions that share the processors have all threads */
    add_relaxed(&computed, 1000000);
    time_passes(ns);
    if (got.counted != 0)
      leave(master, got.counted);
    turns += got.counted != 0;
  }
  leave(3, 2);
  return turns;
}

/* The regions that take a turn among all.  */
#define OF_ALL(count) (((count) + 63) / 64)

static void beside_haskell(void)
{
  region(0, 1000000);
  expect_changes(0, 0);
  store_relaxed(&busy, 2);
  for (int i = 0; i < 100; i++)
    region(0, 1000000); /* alone beside Haskell threads */
  EXPECT(!is_short(0));
  EXPECT_NUMBER(meeting_regions(0, 7, 1000000), 7);
  EXPECT(!is_short(0) && !ghcomp_admission_sharing_is_on());
  EXPECT_NUMBER(meeting_regions(0, 2, 1000000), 2);
  EXPECT(ghcomp_admission_sharing_is_on());
  EXPECT(!is_short(1));
  EXPECT(meeting_regions(0, 640, 1000000) <= OF_ALL(640));
  EXPECT_NUMBER(slice_of(0), SHORT_SLICE_NO_YIELDS);
  EXPECT(meeting_regions(1, 640, 1000000) <= 1 + OF_ALL(640));
  expect_changes(2, 0);
  EXPECT(meeting_regions(2, 64, 20000) <= 1 + OF_ALL(64)); /* to sleep would cost these too much */
  EXPECT_NUMBER(slice_of(2), SHORT_SLICE);
  store_relaxed(&busy, 0);
  EXPECT_NUMBER(regions_until_usual(0), 64);
  EXPECT_NUMBER(regions_until_usual(1), 64);
  EXPECT_NUMBER(regions_until_usual(2), 64);
  expect_changes(3, 3);
}

/* The others have ended: then all regions take turns again.  */
static void no_longer_met(void)
{
  store_relaxed(&busy, 2);
  meeting_regions(0, 20, 1000000);
  EXPECT(ghcomp_admission_sharing_is_on());
  unsigned regions = 0;
  for (; ghcomp_admission_sharing_is_on() && regions < 10000; regions++)
    region(0, 1000000);
  EXPECT(regions > 1000 && regions <= 64 * 64);
  EXPECT_NUMBER(regions_until_usual(0), 63); /* the last of the others was the first of these */
  store_relaxed(&busy, 0);
  expect_changes(4, 4);
}

/* Now and then a region meets another one, as in a web service.  */
static void seldom_met(void)
{
  store_relaxed(&busy, 2);
  for (int i = 0; i < 100; i++) {
    meeting_regions(0, 1, 1000000);
    for (int k = 0; k < 4; k++)
      region(0, 1000000);
  }
  EXPECT(!is_short(0));
  store_relaxed(&busy, 0);
  expect_changes(4, 4);
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
  meeting_regions(1, 100, 1000000);
  store_relaxed(&busy, 0);
  EXPECT_NUMBER(regions_until_usual(1), 64);
  expect_changes(5, 4);
  ghcomp_admission_sharing_forget();
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
  expect_changes(5, 4);
}

/* Turns leave processors unused, so no region takes a turn, and few are timed.  While others compute, threads do not yield.  */
static void beside_other_programs(void)
{
  time_passes(1000000000);
  ghcomp_admission_payoff_leaves_unused();
  store_relaxed(&process_share, 60);
  for (int i = 0; i < 40; i++)
    region(4, 1000000);
  EXPECT_NUMBER(slice_of(4), SHORT_SLICE_NO_YIELDS);
  region(5, 5000000);
  EXPECT_NUMBER(slice_of(5), SHORT_SLICE_NO_YIELDS);
  ghcomp_admission_payoff_after_fork();
  ghcomp_admission_payoff_leaves_unused();
  store_relaxed(&process_share, 95);
  for (int i = 0; i < 30; i++)
    region(4, 1000000);
  EXPECT_NUMBER(slice_of(4), SHORT_SLICE);
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
  ghcomp_admission_slice_change(&masters[4], USUAL_SLICE);
  ghcomp_admission_slice_change(&masters[4], USUAL_SLICE);
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
  no_longer_met();
  seldom_met();
  refused();
  not_needed();
  beside_other_programs();
  alone_again();
  usual_again();
  return expect_result();
}
