/* storey: admission */
/* Turns: how many threads a region gets, in which order regions run, and that a region which waits for a
   blocked one may run.  */
#include "admission_masters.h"

/* ------------------------------------------------------------ how many threads */

static void alone(void)
{
  struct admitted got = ghcomp_admission_enter(&masters[0], 4, true, false);
  EXPECT_NUMBER(got.threads, 4);
  EXPECT_NUMBER(got.counted, 0); /* there is no other master */
}

/* A master asks, and then another one comes: the first one has a turn for the regions of its answer.  */
static void not_alone_any_more(void)
{
  static const char place;
  ghcomp_admission_ask(&masters[0], 4, &place);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  ghcomp_admission_count_masters(4);
  ghcomp_admission_promise_keep_for_lone(&masters[1]);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  struct admitted got = ghcomp_admission_enter(&masters[0], 4, true, true);
  EXPECT_NUMBER(got.counted, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  ghcomp_admission_leave(&masters[0], 4);
  ghcomp_admission_promise_keep_for_lone(&masters[1]); /* only once */
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

static void sizes(void)
{
  EXPECT_NUMBER(enter(0, 4, false), 4);
  leave(0, 4);
  EXPECT_NUMBER(enter(0, 3, true), 3);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 1);
  EXPECT_NUMBER(enter(1, 4, false), 1); /* only one is free */
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 1);
  leave(0, 3);
  EXPECT_NUMBER(enter(2, 3, true), 3); /* both regions fit */
  leave(1, 1);
  leave(2, 3);
  EXPECT_NUMBER(enter(0, 9, true), 9); /* more than the capacity, because no other region runs */
  EXPECT_NUMBER(ghcomp_admission_reduce(9, 2), 2);
  EXPECT_NUMBER(ghcomp_admission_reduce(2, 3), 2);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 2);
  leave(0, 2);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

static void beside_haskell(void)
{
  static const unsigned room[] = {4, 3, 2, 2, 2}; /* by the number of Capabilities that compute */
  for (unsigned i = 0; i < 5; i++) {
    store_relaxed(&busy, i);
    EXPECT_NUMBER(ghcomp_admission_queue_available(), room[i]);
    EXPECT_NUMBER(enter(0, 4, false), room[i]);
    leave(0, room[i]);
    EXPECT_NUMBER(enter(0, 4, true), 4);
    leave(0, 4);
  }
  store_relaxed(&busy, 0);
}

/* A few regions that may be smaller do not wait while Haskell threads compute.  */
static void small_ones_beside_haskell(void)
{
  store_relaxed(&standing, ghcomp_admission_now()); /* who waits, waits for ever */
  store_relaxed(&busy, 2);
  EXPECT_NUMBER(enter(0, 2, true), 2);
  EXPECT_NUMBER(enter(1, 4, false), 1);
  EXPECT_NUMBER(enter(2, 4, false), 1);
  EXPECT(!ghcomp_admission_queue_begin_beside_haskell(&masters[5])); /* as many threads run as there are processors */
  leave(1, 1);
  EXPECT_NUMBER(enter(5, 2, false), 1);
  leave(2, 1);
  leave(5, 1);
  store_relaxed(&busy, 0);
  EXPECT(!ghcomp_admission_queue_begin_beside_haskell(&masters[5])); /* no Haskell thread computes */
  leave(0, 2);
  store_relaxed(&standing, 0);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* ----------------------------------------------------------------------- order */

static void in_order(void)
{
  pthread_t threads[6];
  store_relaxed(&standing, ghcomp_admission_now()); /* no waiting thread looks for blocked ones */
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  for (unsigned i = 1; i < 6; i++)
    threads[i] = start_waiting(i);
  EXPECT_NUMBER(load_relaxed(&begun), 0);
  leave(0, 4);
  for (unsigned i = 1; i < 6; i++)
    pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < 5; i++)
    EXPECT_NUMBER(load_relaxed(&order[i]), i + 1);
  store_relaxed(&standing, 0);
}

/* The region that has the turn does not end, and its threads sleep.  */
static void past_a_blocked_one(void)
{
  pthread_t thread;
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  store_relaxed(&blocked, true);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)2);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(enter(1, 4, true), 4); /* later regions do not wait */
  leave(1, 4);
  store_relaxed(&blocked, false);
  leave(0, 4);
}

/* The region computes and does not end: another region may have to end it.  */
static void past_one_that_spins(void)
{
  pthread_t thread;
  ghcomp_admission_after_fork(); /* the queue is closed again */
  ghcomp_admission_count_masters(6);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  uint64_t waited = load_relaxed(&masters[4].waiter.counters.count[STAT_TURNS_WAITED]);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)4);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(load_relaxed(&masters[4].waiter.counters.count[STAT_TURNS_WAITED]), waited + 1);
  leave(0, 4);
}

/* The more regions run at once, the longer the next one waits, up to a limit.  */
static void ever_later_beside_others(void)
{
  static const unsigned milliseconds[] = {6, 24, 96, 200, 200};
  for (unsigned i = 0; i < 5; i++) {
    ghcomp_admission_queue_take(&masters[i], 4);
    EXPECT_NUMBER(ghcomp_admission_longest_of_region(), milliseconds[i] * 1000000);
  }
  for (unsigned i = 0; i < 5; i++)
    ghcomp_admission_queue_put_back(&masters[i], 4);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* No thread computes at this moment, but one is about to: the queue stays closed.  */
static void not_past_one_about_to_run(void)
{
  store_relaxed(&blocked, true);
  store_relaxed(&masters[1].computing_thread, 1);
  EXPECT(!ghcomp_admission_somebody_computes());
  add_relaxed(&ghcomp_admission_starting, 1); /* a thread has its turn, and is not awake yet */
  EXPECT(ghcomp_admission_somebody_computes());
  sub_relaxed(&ghcomp_admission_starting, 1);
  store_relaxed(&masters[1].computing_thread, ABOUT_TO_COMPUTE); /* it leaves, or its thread is being created */
  EXPECT(ghcomp_admission_somebody_computes());
  store_relaxed(&masters[1].computing_thread, 0);
  store_relaxed(&blocked, false);
}

/* A forked child keeps nothing of threads that waited, nor of a turn that a master kept.  */
static void forked(void)
{
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT_NUMBER(ghcomp_admission_queue_arrive(&masters[1], 4, true, false), 0);
  store_relaxed(&ghcomp_admission_promise_leaving_until, 1);
  EXPECT(ghcomp_admission_passes_turn(&masters[0]));
  ghcomp_admission_after_fork();
  ghcomp_admission_count_masters(6);
  EXPECT(!ghcomp_admission_passes_turn(&masters[0]));
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_promise_leaving_until), 0);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  masters[0].turn.region_began = 0;
}

static void ends_in_a_region(void)
{
  EXPECT_NUMBER(enter(0, 3, true), 3);
  masters[0].turn.counted_team = &team;
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

int main(void)
{
  ghcomp_crew_kind = &no_crews;
  make_masters();
  ghcomp_admission_count_masters(1);
  alone();
  not_alone_any_more();
  ghcomp_admission_count_masters(1);
  sizes();
  beside_haskell();
  small_ones_beside_haskell();
  in_order();
  past_a_blocked_one();
  past_one_that_spins();
  ever_later_beside_others();
  not_past_one_about_to_run();
  forked();
  ends_in_a_region();
  return expect_result();
}
