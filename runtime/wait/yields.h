/* Yields while a thread waits.  After a long one the thread learns whether its next waits should sleep in their place; see
   parking.md, After a long yield.  Only parking.c uses this; it is inlined there.  */
#ifndef GHCOMP_WAIT_YIELDS_H
#define GHCOMP_WAIT_YIELDS_H

#include "base/atomics.h"
#include "base/cycles.h"
#include "base/memory.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "wait/waiter.h"

#include <stdbool.h>

#define YIELDS_LONG_NS 250000u
#define YIELDS_SLEEP_NS 10000u
#define YIELDS_MOST_SLEEPS 1000u
/* Others have a part of the processors if, in a long yield, the process computes for less than half of what they
   offer.  Not at a larger part: where only one thread of a process can compute for a while, as in Python, a processor
   is idle for moments.  To ask what the process has computed is a system call, so only the next yields after a long one
   are measured.  Threads of the system take a processor now and then, so one such yield says nothing.  */
#define YIELDS_MEASURED 4
#define YIELDS_LACKS_FROM 3
#define YIELDS_LACKED_MOST 4

/* True: the wait is one of those that sleep.  */
static inline bool ghcomp_yields_left_out(struct waiter *self)
{
  if (self->sleeps_left == 0)
    return false;
  self->sleeps_left--;
  return true;
}

/* The process's processor time; 0: the yield is not measured.  */
static inline uint64_t ghcomp_yields_begin_to_measure(struct waiter *self)
{
  if (likely(self->yields_to_measure == 0))
    return 0;
  self->yields_to_measure--;
  return ghcomp_machine_process_computed();
}

/* Who had the processor in a yield that took so many nanoseconds?  If it was a thread of ours, then others of ours compute on
   the other processors: the system would have moved this thread to an idle one.  */
static inline bool ghcomp_yields_others_had_processors(uint64_t took, uint64_t computed_before)
{
  uint64_t computed = ghcomp_machine_process_computed() - computed_before;
  return 2 * computed < took * ghcomp_machine_processors();
}

static inline void ghcomp_yields_note_measured(struct waiter *self, bool lacked)
{
  if (lacked)
    self->lacked += self->lacked < YIELDS_LACKED_MOST;
  else
    self->lacked -= self->lacked != 0;
}

static inline bool ghcomp_yields_lack_processors(const struct waiter *self)
{
  return self->lacked >= YIELDS_LACKS_FROM;
}

/* `whoever`: the thread learns, whoever had the processor.  */
static inline void ghcomp_yields_note(struct waiter *self, uint64_t took, uint64_t computed_before, bool whoever)
{
  if (likely(took < cycles_in(YIELDS_LONG_NS)))
    return;
  if (computed_before != 0)
    ghcomp_yields_note_measured(self, ghcomp_yields_others_had_processors(cycles_to_ns(took), computed_before));
  self->yields_to_measure = YIELDS_MEASURED;
  if (!ghcomp_yields_lack_processors(self) && !whoever)
    return;
  uint64_t sleeps = took / cycles_in(YIELDS_SLEEP_NS);
  self->sleeps_left = (unsigned short)(sleeps < YIELDS_MOST_SLEEPS ? sleeps : YIELDS_MOST_SLEEPS);
}

/* `self`: NULL, or where the yield is counted.  */
static inline void ghcomp_yields_make(struct waiter *self)
{
  ghcomp_machine_yield();
  if (self != NULL)
    ghcomp_count(&self->counters, STAT_YIELDS);
}

/* The same, and learns from a long yield.  `whoever`: whoever had the processor.  */
static inline void ghcomp_yields_make_and_learn(struct waiter *self, bool whoever)
{
  uint64_t computed = ghcomp_yields_begin_to_measure(self), began = cycles_now();
  ghcomp_yields_make(self);
  ghcomp_yields_note(self, cycles_now() - began, computed, whoever);
}

/* Called before the first yield of a wait.  True: it should sleep at once, by what has been learned.  */
static inline bool ghcomp_yields_sleep_instead(struct waiter *self, bool whoever)
{
  return (whoever || ghcomp_yields_lack_processors(self)) && ghcomp_yields_left_out(self);
}

/* The system counts a yield as if the thread had had the rest of its time slice (Linux 6.18).  So beside others that
   compute the thread would lose its share of the processor.  */
static inline bool ghcomp_yields_cost_slices(const struct waiter *self)
{
  return load_relaxed(&self->slice) == SHORT_SLICE_NO_YIELDS;
}

#endif
