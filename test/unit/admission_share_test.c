/* storey: admission */
/* Turns: which part of the processors the process uses while regions wait, and what follows from a small one.  */
#include "admission_masters.h"

/* A region ends, or a thread looks around, after so long, in which the process had such a part of the processors.  */
static bool window(unsigned ns, unsigned percent, bool regions_wait)
{
  store_relaxed(&process_share, percent);
  time_passes(ns);
  ghcomp_admission_queue_lock();
  ghcomp_admission_wait_note_end(); /* so no thread that waits begins because of the time */
  bool small = ghcomp_admission_share_is_small(regions_wait);
  ghcomp_admission_queue_unlock();
  return small;
}

static void begin(void)
{
  ghcomp_admission_share_forget();
  EXPECT(!window(1000000, 0, true));
}

static void one_bad_window(void)
{
  begin();
  EXPECT(!window(3000000, 1, true));
  for (int i = 0; i < 10; i++)
    EXPECT(!window(3000000, 95, true));
  EXPECT(!window(4000000, 10, true));
}

static void two_bad_windows(void)
{
  begin();
  EXPECT(!window(3000000, 20, true));
  EXPECT(window(3000000, 20, true));
  EXPECT(!window(3000000, 40, true)); /* the first is enough later, if it is no better */
  EXPECT(window(3000000, 40, true));
  EXPECT(!window(3000000, 90, true));
  EXPECT(!window(3000000, 90, true));
}

static void brief_windows(void)
{
  begin();
  for (int i = 0; i < 7; i++)
    EXPECT(!window(900000, 0, true)); /* 3.6 ms are a window */
  EXPECT(window(900000, 0, true));
}

static void nobody_waits(void)
{
  begin();
  for (int i = 0; i < 10; i++) {
    EXPECT(!window(3000000, 0, true)); /* the window began with this region */
    EXPECT(!window(3000000, 0, false));
  }
}

/* More than half of the processors is enough: regions of three threads leave the fourth processor idle.  */
static void sizes(void)
{
  begin();
  for (int i = 0; i < 20; i++)
    EXPECT(!window(3000000, 51, true));
}

/* Blocked regions need few processors.  */
static void open_queue(void)
{
  begin();
  ghcomp_admission_queue_lock();
  ghcomp_admission_queue_open_past_slow();
  ghcomp_admission_queue_unlock();
  for (int i = 0; i < 20; i++)
    EXPECT(!window(3000000, 40, false));
  bool small = false;
  for (int i = 0; i < 3; i++)
    small |= window(3000000, 20, false);
  EXPECT(small);
  ghcomp_admission_queue_after_fork();
}

/* Regions that wait begin at once when it shows that the running ones get few processors.  Whoever looks first finds it
   out: a thread that waits, or the one that leaves.  */
static void regions_that_wait(void)
{
  store_relaxed(&begun, 0);
  ghcomp_admission_share_forget();
  EXPECT_NUMBER(enter(1, 4, true), 4);
  pthread_t two = start_waiting(2), four = start_waiting(4);
  for (int i = 0; i < 3; i++)
    window(3000000, 1, true);
  time_passes(3000000);
  leave(1, 4);
  pthread_join(two, NULL);
  pthread_join(four, NULL);
  EXPECT(ghcomp_admission_payoff_is_unused());
  EXPECT_NUMBER(load_relaxed(&begun), 2);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
  EXPECT(!window(3000000, 1, true)); /* nobody asks while turns are not taken */
  EXPECT(!window(3000000, 1, true));
}

int main(void)
{
  set_up_masters();
  time_passes(1000000000);
  one_bad_window();
  two_bad_windows();
  brief_windows();
  nobody_waits();
  sizes();
  open_queue();
  regions_that_wait();
  return expect_result();
}
