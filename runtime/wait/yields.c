/* What a thread learns from the yields that it makes: after a long one, whether its next waits should sleep in their place.
   See parking.md, After a long yield.  */
#include "wait/yields.h"

#include "base/cycles.h"
#include "base/memory.h"
#include "machine/processors.h"
#include "machine/thread.h"

#define LONG_YIELD_NS 250000u
#define SLEEP_NS 10000u
#define MOST_SLEEPS 1000u
/* Others have a part of the processors if, in a long yield, the process computes for less than half of what they
   offer.  Not at a larger part: where only one thread of a process can compute for a while, as in Python, a processor
   is idle for moments.  To ask what the process has computed is a system call, so only the next yields after a long one
   are measured.  Threads of the system take a processor now and then, so one such yield says nothing.  */
#define MEASURED_YIELDS 4
#define LACKS_FROM 3
#define LACKED_MOST 4

static bool sleeps_at_once(struct waiter *self)
{
  if (self->sleeps_left == 0)
    return false;
  self->sleeps_left--;
  return true;
}

/* The process's processor time; 0: the yield is not measured.  */
static uint64_t begin_to_measure(struct waiter *self)
{
  if (likely(self->yields_to_measure == 0))
    return 0;
  self->yields_to_measure--;
  return ghcomp_machine_process_computed();
}

/* Who had the processor in a yield that took so many nanoseconds?  If it was a thread of ours, then others of ours compute on
   the other processors: the system would have moved this thread to an idle one.  */
static bool others_had_processors(uint64_t took, uint64_t computed_before)
{
  uint64_t computed = ghcomp_machine_process_computed() - computed_before;
  return 2 * computed < took * ghcomp_machine_processors();
}

static void note_measured(struct waiter *self, bool lacked)
{
  if (lacked)
    self->lacked += self->lacked < LACKED_MOST;
  else
    self->lacked -= self->lacked != 0;
}

static bool lacks_processors(const struct waiter *self)
{
  return self->lacked >= LACKS_FROM;
}

/* `whoever`: the thread learns, whoever had the processor.  */
static void note_yield(struct waiter *self, uint64_t took, uint64_t computed_before, bool whoever)
{
  if (likely(took < cycles_in(LONG_YIELD_NS)))
    return;
  if (computed_before != 0)
    note_measured(self, others_had_processors(cycles_to_ns(took), computed_before));
  self->yields_to_measure = MEASURED_YIELDS;
  if (!lacks_processors(self) && !whoever)
    return;
  uint64_t sleeps = took / cycles_in(SLEEP_NS);
  self->sleeps_left = (unsigned short)(sleeps < MOST_SLEEPS ? sleeps : MOST_SLEEPS);
}

void ghcomp_yields_make(struct waiter *self)
{
  ghcomp_machine_yield();
  if (self != NULL)
    ghcomp_count(&self->counters, STAT_YIELDS);
}

void ghcomp_yields_make_and_learn(struct waiter *self, bool whoever)
{
  uint64_t computed = begin_to_measure(self), began = cycles_now();
  ghcomp_yields_make(self);
  note_yield(self, cycles_now() - began, computed, whoever);
}

bool ghcomp_yields_sleep_instead(struct waiter *self, bool whoever)
{
  return (whoever || lacks_processors(self)) && sleeps_at_once(self);
}
