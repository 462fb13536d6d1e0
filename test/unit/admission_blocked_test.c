/* storey: admission */
/* Turns: which regions block, and that these begin at once with all their threads.  */
#include "admission_masters.h"

enum { EVERY = 7 };

/* A region of master 0, which may be smaller, with so much of its time computed, and so many sleeps, of which some are the
   runtime's.  Returns its threads.  */
static unsigned region(unsigned percent, unsigned slept, unsigned own)
{
  struct admitted got = ghcomp_admission_enter(&masters[0], 4, false, false);
  EXPECT_NUMBER(got.counted, got.threads);
  EXPECT_NUMBER(got.needs_all, masters[0].blocked.often);
  time_passes(1000000);
  add_relaxed(&computed, percent * 10000);
  add_relaxed(&sleeps, slept);
  ghcomp_count_more(&masters[0].waiter.counters, STAT_SLEEPS, own);
  masters[0].turn.untimed_left = 0;
  leave(0, got.counted);
  masters[0].turn.untimed_left = 0;
  masters[0].turn.prompt = 0;
  return got.threads;
}

/* As many as one measurement needs.  */
static void regions(unsigned percent, unsigned slept, unsigned own)
{
  for (int i = 0; i < EVERY; i++)
    region(percent, slept, own);
}

static void none_blocks(unsigned percent, unsigned slept, unsigned own)
{
  for (int i = 0; i < 10; i++)
    regions(percent, slept, own);
  EXPECT(!masters[0].blocked.often);
}

static void others_take_turns(void)
{
  none_blocks(100, 0, 0);
  none_blocks(10, 0, 0); /* waits for a processor */
  none_blocks(10, 2, 2); /* waits for its workers */
  none_blocks(10, 1, 2); /* a sleep of the runtime ended before it began */
  none_blocks(80, 9, 0); /* is hardly blocked */
}

static void two_measurements_decide(void)
{
  regions(50, 1, 0);
  EXPECT(!masters[0].blocked.often);
  regions(50, 3, 2);
  EXPECT(masters[0].blocked.often);
}

/* The capacity is four.  */
static void begins_at_once(void)
{
  EXPECT_NUMBER(enter(1, 4, true), 4);
  EXPECT_NUMBER(region(50, 1, 0), 4);
  store_relaxed(&busy, 4);
  EXPECT_NUMBER(region(50, 1, 0), 4);
  store_relaxed(&busy, 0);
  leave(1, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

/* An exact size, or another thread.  */
static void only_its_own(void)
{
  pthread_t thread;
  EXPECT_NUMBER(region(50, 1, 0), 4);
  EXPECT_NUMBER(enter(1, 3, true), 3);
  EXPECT_NUMBER(enter(2, 4, false), 1);
  leave(2, 1);
  store_relaxed(&begun, 0);
  thread = start_waiting(4); /* wants four exactly */
  leave(1, 3);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
}

static void four_others_end_it(void)
{
  regions(50, 1, 0);
  regions(50, 1, 0);
  regions(50, 1, 0);
  for (int i = 0; i < 3; i++)
    regions(100, 0, 0);
  EXPECT(masters[0].blocked.often);
  regions(100, 0, 0);
  EXPECT(!masters[0].blocked.often);
}

int main(void)
{
  set_up_masters();
  time_passes(1); /* it stands still, so no thread begins without a turn */
  others_take_turns();
  two_measurements_decide();
  begins_at_once();
  only_its_own();
  four_others_end_it();
  return expect_result();
}
