/* Which regions belong to an answer.  A library asks once, and may then start many regions, each under
   its lock: OpenBLAS's LAPACK does.  The first region belongs to the answer, and so do those of the same
   function that follow, until the thread's next question.  Each place that asks is judged by what
   followed there last: as many regions are expected again.

   A thread that sleeps between the regions of an answer waits for a lock that it holds when it asks, such
   as Python's.  There a turn does harm: the threads that wait for it hold the lock for which the thread
   that has it sleeps.

   Only the thread that asks calls these functions.  All threads share what was learned.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "machine/thread.h"
#include "state/thread.h"

/* A program may ask once and compute for hours.  So an answer ends when its thread has computed for
   LONGEST_ANSWER_NS, and it keeps its turn for more regions for KEPT_NS at most.  */
#define LONGEST_ANSWER_NS 10000000000u
#define KEPT_NS 1000000000u

/* A place has a score: how many answers' threads slept, less how many did not.  From SLEPT_LEAST on, each
   answer whose thread sleeps lets 4, 16, 64… answers take no turn, at most 4^(SLEPT_MOST + 1 - SLEPT_LEAST).
   A thread of a library sleeps now and then, too, for memory.  */
#define SLEPT_LEAST 3u
#define SLEPT_MOST 8u
/* To see a sleep costs a system call at each end.  So only so many regions of an answer are looked at.  */
#define REGIONS_LOOKED_AT 8u

/* For each place that asks: the low bits of the return address, how many regions followed, its
   score, and how many of the next answers take no turn.  Two places may share an entry; then the
   one whose answer ended last has it.  Two threads may change an entry at once; then a number is wrong
   until the next answer there ends.  */
enum { PLACES = 64 };
static struct {
  _Atomic uint32_t caller, regions, slept, without_turns;
} places[PLACES];

/* A multiplicative hash (Knuth, The Art of Computer Programming, vol. 3, 6.4).  */
static unsigned place_of(uint32_t caller)
{
  return caller * 2654435769u >> 26;
}

static bool is_known(uint32_t caller)
{
  return load_relaxed(&places[place_of(caller)].caller) == caller;
}

/* 0: not known.  */
static unsigned expected_at(uint32_t caller)
{
  return is_known(caller) ? load_relaxed(&places[place_of(caller)].regions) : 0;
}

/* The entry belongs to the place from now on.  */
static void know(uint32_t caller)
{
  unsigned place = place_of(caller);
  if (is_known(caller))
    return;
  store_relaxed(&places[place].regions, 0);
  store_relaxed(&places[place].slept, 0);
  store_relaxed(&places[place].without_turns, 0);
  store_relaxed(&places[place].caller, caller);
}

void ghcomp_admission_answer_begin(struct thread *self)
{
  self->turn.answer_began = ghcomp_admission_now() | 1;
  self->turn.answer_end_computed = 0;
  self->turn.answer_regions = 1;
  self->turn.answer_sleeps = 0;
  self->turn.answer_slept = false;
  self->turn.answer_expected = expected_at(self->turn.promised_at);
}

static void learn_regions(const struct thread_turn *turn)
{
  know(turn->promised_at);
  store_relaxed(&places[place_of(turn->promised_at)].regions, turn->answer_regions);
}

/* Several regions were seen, and the thread slept, or not.  */
static void learn_sleep(const struct thread_turn *turn)
{
  unsigned place = place_of(turn->promised_at);
  know(turn->promised_at);
  uint32_t slept = load_relaxed(&places[place].slept);
  if (!turn->answer_slept) {
    store_relaxed(&places[place].slept, slept - (slept != 0));
    return;
  }
  slept += slept < SLEPT_MOST;
  store_relaxed(&places[place].slept, slept);
  if (slept >= SLEPT_LEAST)
    store_relaxed(&places[place].without_turns, 4u << 2 * (slept - SLEPT_LEAST));
}

void ghcomp_admission_answer_end(struct thread *self)
{
  struct thread_turn *turn = &self->turn;
  bool ends = turn->answer_began != 0 && turn->promised_at != 0;
  if (ends && turn->answer_regions != turn->answer_expected)
    learn_regions(turn);
  if (ends && turn->answer_regions > 1)
    learn_sleep(turn);
  turn->answer_began = 0;
}

/* ----------------------------------------------------------------------------- sleeps */

bool ghcomp_admission_answer_takes_no_turn(struct thread *self, const void *address)
{
  uint32_t caller = (uint32_t)(uintptr_t)address;
  _Atomic uint32_t *left = &places[place_of(caller)].without_turns;
  uint32_t answers = load_relaxed(left);
  self->turn.without_turns = answers != 0 && is_known(caller);
  if (self->turn.without_turns)
    store_relaxed(left, answers - 1); /* of one look: another thread may just have taken the last */
  return self->turn.without_turns;
}

/* A region of the answer is over, and more are expected.  */
void ghcomp_admission_answer_pause(struct thread *self)
{
  if (self->turn.answer_regions <= REGIONS_LOOKED_AT && !self->turn.answer_slept)
    self->turn.answer_sleeps = ghcomp_machine_thread_sleeps() + 1;
}

/* The next one begins.  */
static void look_for_sleep(struct thread *self)
{
  if (self->turn.answer_sleeps == 0)
    return;
  self->turn.answer_slept = ghcomp_machine_thread_sleeps() + 1 != self->turn.answer_sleeps;
  self->turn.answer_sleeps = 0;
}

/* ---------------------------------------------------------------------- more regions */

static bool is_younger(const struct thread_turn *turn, unsigned ns)
{
  return ghcomp_admission_now() < turn->answer_began + cycles_in(ns);
}

static bool lasts(struct thread *self)
{
  struct thread_turn *turn = &self->turn;
  if (turn->answer_began == 0)
    return false;
  if (likely(is_younger(turn, KEPT_NS)))
    return true;
  uint64_t computed = ghcomp_machine_thread_computed(load_relaxed(&self->kernel_thread));
  if (turn->answer_end_computed == 0)
    turn->answer_end_computed = computed + LONGEST_ANSWER_NS;
  return computed < turn->answer_end_computed;
}

bool ghcomp_admission_answer_continue(struct thread *self)
{
  if (!lasts(self))
    return false;
  look_for_sleep(self);
  self->turn.answer_regions++;
  self->turn.region_was_promised = true;
  return true;
}

bool ghcomp_admission_answer_has_more(const struct thread *self)
{
  const struct thread_turn *turn = &self->turn;
  return turn->answer_began != 0 && turn->answer_regions != turn->answer_expected && is_younger(turn, KEPT_NS);
}
