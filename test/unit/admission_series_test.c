/* storey: admission */
/* Turns: several questions in one turn.  */
#include "admission_masters.h"

/* ------------------------------------------------------- several regions in a turn */

/* A region of a promised turn that takes so long.  Returns whether the turn is for another thread
   afterwards.  */
static bool compute(unsigned master, unsigned ns)
{
  masters[master].turn.region_took = UINT32_MAX; /* not brief */
  EXPECT_NUMBER(enter(master, 4, true), 4);
  time_passes(ns);
  bool passes = ghcomp_admission_passes_turn(&masters[master]);
  leave(master, 4);
  return passes;
}

static pthread_t begin_to_wait(unsigned master)
{
  store_relaxed(&begun, 0);
  return start_waiting(master);
}

/* The master's next questions come so long after its regions.  */
static void learn_gap(unsigned master, unsigned ns)
{
  masters[master].turn.gap = 0;
  masters[master].turn.left = 0;
  forget_questions(master);
  ask(master, 4);
  compute(master, 300000);
  time_passes(ns);
  ask(master, 4);
}

/* So that no more regions of an answer are expected.  */
static void learn_one_region_each(void)
{
  time_passes(0);
  ask(0, 4);
  compute(0, 300000);
  ask(0, 4);
  ghcomp_admission_abandon(&masters[0]);
  store_relaxed(&standing, 0);
}

static void end_series(unsigned master, pthread_t waiting)
{
  ghcomp_admission_abandon(&masters[master]);
  pthread_join(waiting, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* A thread that soon asks again goes on with its turn, although another waits, but not for more than
   2 ms.  */
static void several_regions(void)
{
  time_passes(0);
  learn_gap(0, 40000);
  pthread_t waiting = begin_to_wait(2);
  masters[0].turn.just_waited = true;
  unsigned regions = 0;
  while (!compute(0, 300000)) {
    time_passes(40000);
    ask(0, 4);
    EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
    EXPECT(!masters[0].turn.just_waited);
    EXPECT_NUMBER(load_relaxed(&begun), 0);
    regions++;
  }
  EXPECT_NUMBER(regions, 5); /* 6 * 340 µs > 2 ms */
  ghcomp_self_becomes(&masters[0]);
  ask(0, 4);
  EXPECT_NUMBER(load_seq_cst(&begun), 1);
  end_series(0, waiting);
}

/* A thread that did not ask again soon the last time passes its turn on.  */
static void one_region(void)
{
  time_passes(0);
  learn_gap(0, 500000);
  pthread_t waiting = begin_to_wait(2);
  EXPECT(compute(0, 300000));
  ghcomp_self_becomes(&masters[0]);
  end_series(0, waiting);
}

/* A thread that was expected to ask again does not.  A worker notices.  */
static void series_that_ends_early(void)
{
  time_passes(0);
  learn_gap(0, 40000);
  EXPECT_NUMBER(ghcomp_admission_guard(), 0); /* nobody waits */
  pthread_t waiting = begin_to_wait(2);
  uint64_t sleeps = ghcomp_admission_guard();
  EXPECT(sleeps > PROMISE_NS - 100 && sleeps < PROMISE_NS + 100); /* the region has not begun */
  EXPECT(!compute(0, 300000));
  sleeps = ghcomp_admission_guard();
  EXPECT(sleeps > LEAVING_NS + 80000 - 100 && sleeps < LEAVING_NS + 80000 + 100);
  time_passes((unsigned)sleeps + 1);
  EXPECT_NUMBER(ghcomp_admission_guard(), PROMISE_BLOCKED_NS); /* it has no processor */
  EXPECT_NUMBER(load_relaxed(&begun), 0);
  add_relaxed(&computed, 2 * PROMISE_NS);
  EXPECT_NUMBER(ghcomp_admission_guard(), 0);
  pthread_join(waiting, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  forget_questions(0);
  ask(0, 4); /* it has lost the turn, and takes the next one */
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* While a series lasts, or is expected of a thread that has its turn now, waiting threads need not
   look.  */
static void waiting_for_a_series(void)
{
  uint64_t began = time_passes(0);
  learn_gap(0, 40000);
  EXPECT(!compute(0, 300000));
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), masters[0].turn.series_end);
  EXPECT(masters[0].turn.series_end >= began + cycles_in(SERIES_NS));
  ask(0, 4);
  masters[0].turn.series_end = began; /* it ends with this region */
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT(!ghcomp_admission_passes_turn(&masters[0])); /* nobody waits */
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), 0);
  leave(0, 4);
  ghcomp_admission_abandon(&masters[0]);
  masters[1].turn.in_question = true;
  masters[1].turn.gap = 0;
  ghcomp_admission_series_expect(&masters[1]);
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), 0);
  masters[1].turn.gap = (uint32_t)cycles_in(40000);
  ghcomp_admission_series_expect(&masters[1]);
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), ghcomp_admission_now() + cycles_in(SERIES_NS));
  masters[1].turn.in_question = false; /* a region that did not ask */
  ghcomp_admission_series_expect(&masters[1]);
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), 0);
  masters[1].turn.gap = 0;
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* It asks for another number, begins a region without a question, or ends.  */
static void series_that_changes(void)
{
  time_passes(0);
  learn_gap(0, 40000);
  EXPECT(!compute(0, 300000));
  ask(0, 3);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 3);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 3);
  ghcomp_admission_abandon(&masters[0]);
  learn_gap(0, 40000);
  EXPECT(!compute(0, 300000));
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  leave(0, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
  learn_gap(0, 40000);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  masters[0].turn.counted_team = &team;
  team.counted_threads = 4;
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
  store_relaxed(&standing, 0);
}

/* ------------------------------------------------------------- without questions */

static bool passes_and_leaves(unsigned master)
{
  bool passes = ghcomp_admission_passes_turn(&masters[master]);
  leave(master, 4);
  return passes;
}

/* A region that follows no question and takes so long.  Its thread's regions begin one after the other.  Returns whether
   the turn is for another thread afterwards.  */
static bool compute_unasked(unsigned master, unsigned ns, unsigned gap)
{
  masters[master].turn.untimed_left = 0;
  masters[master].turn.region_took = (uint32_t)cycles_in(ns);
  struct admitted mine = ghcomp_admission_enter(&masters[master], 4, true, false);
  EXPECT_NUMBER(mine.counted, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  time_passes(ns);
  bool passes = passes_and_leaves(master);
  time_passes(gap);
  return passes;
}

/* It has begun a region, and another master waits behind it.  */
static pthread_t begin_to_wait_behind(unsigned master)
{
  masters[master].turn.untimed_left = 0;
  EXPECT_NUMBER(ghcomp_admission_enter(&masters[master], 4, true, false).counted, 4);
  time_passes(13000);
  return begin_to_wait(2);
}

static void make_prompt(unsigned master)
{
  forget_questions(master);
  for (int i = 0; i < 16; i++)
    EXPECT(!compute_unasked(master, 13000, 1000)); /* nobody waits */
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

/* Regions of 13 µs share a turn of 350 µs.  */
static void short_regions(void)
{
  time_passes(0);
  make_prompt(0);
  pthread_t waiting = begin_to_wait_behind(0);
  unsigned regions = 1;
  EXPECT(!passes_and_leaves(0));
  time_passes(1000);
  while (!compute_unasked(0, 13000, 1000)) {
    EXPECT_NUMBER(load_relaxed(&begun), 0);
    EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
    regions++;
  }
  EXPECT_NUMBER(regions, 24); /* 24 * 14 + 13 < 350 < 25 * 14 + 13 */
  end_series(0, waiting);
}

/* Each of those that wait has its part of the time, and 50 µs at least.  */
static void short_turns_of_many(void)
{
  static const unsigned parts[] = {350000, 175000, 116666, 87500, 70000, 58333, 50000, 50000};
  uint64_t now = time_passes(0);
  for (unsigned ahead = 0; ahead < 8; ahead++) {
    ghcomp_admission_series_begin_short(&masters[0], ahead);
    EXPECT_NUMBER(masters[0].turn.series_end, now + cycles_in(parts[ahead]));
  }
}

/* Long regions have a turn each, as have those of a thread that does not begin the next one at once, and brief ones,
   which are timed only now and then.  */
static void not_for_others(void)
{
  time_passes(0);
  make_prompt(0);
  for (unsigned i = 0; i < 4; i++)
    EXPECT(!compute_unasked(0, 13000, i == 0 ? 1000 : 30000));
  pthread_t waiting = begin_to_wait_behind(0);
  EXPECT_NUMBER(masters[0].turn.prompt, 2);
  EXPECT(passes_and_leaves(0));
  end_series(0, waiting);
  make_prompt(0);
  waiting = begin_to_wait_behind(0);
  masters[0].turn.region_took = (uint32_t)cycles_in(60000);
  EXPECT(passes_and_leaves(0));
  end_series(0, waiting);
  make_prompt(0);
  waiting = begin_to_wait_behind(0);
  masters[0].turn.is_brief = true;
  EXPECT(passes_and_leaves(0));
  end_series(0, waiting);
  masters[0].turn.is_brief = false;
}

/* Its next region does not come, or is for another number of threads.  */
static void short_turn_that_ends(void)
{
  time_passes(0);
  make_prompt(0);
  pthread_t waiting = begin_to_wait_behind(0);
  EXPECT(!passes_and_leaves(0));
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  uint64_t sleeps = ghcomp_admission_guard();
  EXPECT(sleeps > LEAVING_NS - 100 && sleeps < LEAVING_NS + 100);
  time_passes((unsigned)sleeps + 1);
  add_relaxed(&computed, LEAVING_NS + 1);
  EXPECT_NUMBER(ghcomp_admission_guard(), 0);
  pthread_join(waiting, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT(!compute_unasked(0, 13000, 1000)); /* it has lost the turn, and takes the next one */
  make_prompt(0);
  waiting = begin_to_wait_behind(0);
  EXPECT(!passes_and_leaves(0));
  ghcomp_self_becomes(&masters[0]);
  struct admitted mine = ghcomp_admission_enter(&masters[0], 3, true, false);
  EXPECT_NUMBER(mine.counted, 3);
  leave(0, 3);
  end_series(0, waiting);
}

int main(void)
{
  set_up_masters();
  learn_one_region_each();
  several_regions();
  one_region();
  series_that_ends_early();
  series_that_changes();
  waiting_for_a_series();
  short_regions();
  short_turns_of_many();
  not_for_others();
  short_turn_that_ends();
  return expect_result();
}
