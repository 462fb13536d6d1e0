/* storey: admission */
/* Turns: several regions after one question.  */
#include "admission_masters.h"

static void compute_answered(unsigned master)
{
  masters[master].turn.untimed_left = 0; /* never brief */
  EXPECT_NUMBER(ghcomp_admission_enter(&masters[master], 4, true, true).threads, 4);
  ghcomp_admission_passes_turn(&masters[master]);
  leave(master, 4);
}

static void several_regions_of_an_answer(void)
{
  static const char place;
  time_passes(0);
  forget_questions(0);
  masters[0].turn.gap = 0;
  for (unsigned answer = 0; answer < 2; answer++) {
    masters[0].turn.left = 0;
    ask_at(0, &place);
    for (unsigned region = 1; region <= 3; region++) {
      compute_answered(0);
      EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
      /* At first the number is not known.  */
      EXPECT_NUMBER(masters[0].turn.kept_leaves, answer == 1 && region == 3);
    }
  }
  /* A turn that was lost between two regions: others may spin for the lock.  */
  masters[0].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(enter(1, 4, true), 4);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  compute_answered(0);
  leave(1, 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* The regions of an answer end some time, although no question follows.  */
static void end_of_an_answer(void)
{
  static const char place;
  time_passes(0);
  forget_questions(0);
  masters[0].turn.left = 0;
  ask_at(0, &place);
  compute_answered(0);
  time_passes(2000000000);
  compute_answered(0);
  EXPECT(masters[0].turn.kept_leaves); /* the turn does not wait for more */
  EXPECT(masters[0].turn.region_was_promised);
  add_relaxed(&computed, 10000000000);
  compute_answered(0);
  EXPECT(!masters[0].turn.region_was_promised);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* ------------------------------------------------------ threads that sleep between regions */

/* Asks, and starts regions of the answer, between two of which the thread sleeps, or not.  */
static void answer(const char *place, unsigned regions, bool slept)
{
  masters[0].turn.left = 0;
  ask_at(0, place);
  for (unsigned region = 1; region <= regions; region++) {
    compute_answered(0);
    add_relaxed(&sleeps, slept && region == 2);
  }
}

/* A question and a region that are not counted, although another thread has all processors.  */
static bool takes_no_turn(const char *place)
{
  masters[0].turn.left = 0;
  ask_at(0, place);
  return masters[0].turn.kept_threads == 0 && ghcomp_admission_enter(&masters[0], 4, true, true).counted == 0 &&
         ghcomp_admission_enter(&masters[0], 3, true, false).threads == 3;
}

static unsigned count_without_turn(const char *place)
{
  unsigned count = 0;
  while (takes_no_turn(place))
    count++;
  compute_answered(0);
  ghcomp_admission_abandon(&masters[0]);
  return count;
}

static void sleeps_between_regions(void)
{
  static const char places[200];
  const char *place = &places[0], *other = &places[100];
  time_passes(0);
  forget_questions(0);
  answer(place, 3, false);
  EXPECT_NUMBER(count_without_turn(place), 0);
  answer(place, 1, true);
  EXPECT_NUMBER(count_without_turn(place), 0); /* there was no second region */
  answer(place, 3, true);
  answer(place, 3, true);
  answer(place, 3, false);
  EXPECT_NUMBER(count_without_turn(place), 0); /* a thread may sleep for memory */
  answer(place, 3, true);
  for (unsigned expected = 4; expected <= 64; expected *= 4) {
    answer(place, 3, true);
    ghcomp_admission_answer_end(&masters[0]);
    answer(other, 3, false);
    EXPECT_NUMBER(count_without_turn(other), 0);
    EXPECT_NUMBER(count_without_turn(place), expected);
  }
  answer(place, 3, false);
  answer(place, 3, false);
  answer(place, 3, true);
  EXPECT_NUMBER(count_without_turn(place), 16);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* Later than the first regions, nobody looks.  */
static void sleeps_late(void)
{
  static const char place;
  time_passes(0);
  forget_questions(0);
  ask_at(0, &place);
  for (unsigned region = 1; region <= 12; region++) {
    compute_answered(0);
    add_relaxed(&sleeps, region > 8);
  }
  EXPECT_NUMBER(count_without_turn(&place), 0);
  store_relaxed(&standing, 0);
}

int main(void)
{
  set_up_masters();
  several_regions_of_an_answer();
  end_of_an_answer();
  sleeps_between_regions();
  sleeps_late();
  return expect_result();
}
