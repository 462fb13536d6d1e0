/* Which regions belong to an answer.  A library asks once, and may then start many regions, each under
   its lock: OpenBLAS's LAPACK does.  The first region belongs to the answer, and so do those of the same
   function that follow, until the thread's next question.  Each place that asks is judged by what
   followed there last: as many regions are expected again.

   Only the thread that asks calls these functions.  All threads share what was learned.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "machine/thread.h"
#include "state/thread.h"

/* A program may ask once and compute for hours.  So an answer ends when its thread has computed for
   LONGEST_ANSWER_NS, and it keeps its turn for more regions for KEPT_NS at most.  */
#define LONGEST_ANSWER_NS 10000000000u
#define KEPT_NS 1000000000u

/* For each place that asks: the low bits of the return address, and how many regions followed.  Two places
   may share an entry; then the one whose answer ended last has it.  */
enum { PLACES = 64 };
static struct {
  _Atomic uint32_t caller, regions;
} places[PLACES];

/* A multiplicative hash (Knuth, The Art of Computer Programming, vol. 3, 6.4).  */
static unsigned place_of(uint32_t caller)
{
  return caller * 2654435769u >> 26;
}

/* 0: not known.  */
static unsigned expected_at(uint32_t caller)
{
  unsigned place = place_of(caller);
  return load_relaxed(&places[place].caller) == caller ? load_relaxed(&places[place].regions) : 0;
}

void ghcomp_admission_answer_begin(struct thread *self)
{
  self->turn.answer_began = ghcomp_admission_now() | 1;
  self->turn.answer_end_computed = 0;
  self->turn.answer_regions = 1;
  self->turn.answer_expected = expected_at(self->turn.promised_at);
}

/* The entry's two words may come from two threads.  Then the number is wrong until the next answer
   there ends.  */
void ghcomp_admission_answer_end(struct thread *self)
{
  struct thread_turn *turn = &self->turn;
  uint32_t caller = turn->promised_at;
  bool as_expected = turn->answer_regions == turn->answer_expected;
  if (turn->answer_began != 0 && !as_expected && caller != 0) {
    store_relaxed(&places[place_of(caller)].caller, caller);
    store_relaxed(&places[place_of(caller)].regions, turn->answer_regions);
  }
  turn->answer_began = 0;
}

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
  self->turn.answer_regions++;
  self->turn.region_was_promised = true;
  return true;
}

bool ghcomp_admission_answer_has_more(const struct thread *self)
{
  const struct thread_turn *turn = &self->turn;
  return turn->answer_began != 0 && turn->answer_regions != turn->answer_expected && is_younger(turn, KEPT_NS);
}
