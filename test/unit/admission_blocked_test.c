/* storey: admission */
/* Turns: which regions block, and that all regions have all their threads while regions often do.  */
#include "admission_masters.h"

enum { EVERY = 7 };

/* A region of master 0, which may be smaller, with so much of its time computed, and so many sleeps, of which some are the
   runtime's.  Returns its threads.  */
static unsigned region(unsigned percent, unsigned slept, unsigned own)
{
  bool all = ghcomp_admission_blocked_often();
  struct admitted got = ghcomp_admission_enter(&masters[0], 4, false, false);
  EXPECT_NUMBER(got.counted, got.threads);
  EXPECT_NUMBER(got.needs_all, all);
  time_passes(1000000);
  add_relaxed(&computed, percent * 10000);
  add_relaxed(&sleeps, slept);
  ghcomp_count_more(&masters[0].waiter.counters, STAT_SLEEPS, own);
  leave(0, got.counted);
  masters[0].turn.untimed_left = 0; /* never brief */
  masters[0].turn.prompt = 0;       /* no short turns */
  return got.threads;
}

/* As many as one measurement needs.  Returns the threads of the last one.  */
static unsigned regions(unsigned percent, unsigned slept, unsigned own)
{
  unsigned threads = 0;
  for (int i = 0; i < EVERY; i++)
    threads = region(percent, slept, own);
  return threads;
}

static void none_blocks(unsigned percent, unsigned slept, unsigned own)
{
  for (int i = 0; i < 10; i++)
    regions(percent, slept, own);
  EXPECT(!ghcomp_admission_blocked_often());
}

/* Four threads have computed four times as much as their master.  */
static void others_take_turns(void)
{
  none_blocks(100, 0, 0);
  none_blocks(10, 0, 0); /* waits for a processor */
  none_blocks(10, 2, 2); /* waits for its workers */
  none_blocks(10, 1, 2); /* a sleep of the runtime ended before it began */
  none_blocks(18, 9, 0); /* has computed for more than two thirds of the time */
}

static void now_and_then(void)
{
  for (int i = 0; i < 20; i++) {
    regions(10, 1, 0);
    regions(100, 0, 0);
    EXPECT(!ghcomp_admission_blocked_often());
  }
}

static void four_measurements_decide(void)
{
  for (int i = 0; i < 4; i++) {
    EXPECT(!ghcomp_admission_blocked_often());
    regions(15, 3, i % 3);
  }
  EXPECT(ghcomp_admission_blocked_often());
}

/* The capacity is four.  */
static void all_have_all_threads(void)
{
  store_relaxed(&busy, 4);
  EXPECT_NUMBER(region(15, 1, 0), 4);
  EXPECT_NUMBER(enter(1, 3, false), 3); /* another master's */
  leave(1, 3);
  store_relaxed(&busy, 0);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

static void others_end_it(void)
{
  unsigned needed = 0;
  while (ghcomp_admission_blocked_often() && needed < 100) {
    EXPECT_NUMBER(regions(100, 0, 0), 4);
    needed++;
  }
  EXPECT(needed >= 4 && needed <= 16);
  store_relaxed(&busy, 4);
  EXPECT_NUMBER(region(15, 1, 0), 2);
  store_relaxed(&busy, 0);
}

static void forked(void)
{
  for (int i = 0; i < 5; i++)
    regions(15, 1, 0);
  EXPECT(ghcomp_admission_blocked_often());
  ghcomp_admission_after_fork();
  EXPECT(!ghcomp_admission_blocked_often());
}

int main(void)
{
  set_up_masters();
  time_passes(1); /* it stands still, so no thread begins without a turn */
  others_take_turns();
  now_and_then();
  four_measurements_decide();
  all_have_all_threads();
  others_end_it();
  forked();
  return expect_result();
}
