/* Yields while a thread waits, and when it should sleep in their place.  */
#ifndef GHCOMP_WAIT_YIELDS_H
#define GHCOMP_WAIT_YIELDS_H

#include "base/atomics.h"
#include "wait/waiter.h"

#include <stdbool.h>

/* `self`: NULL, or where the yield is counted.  */
void ghcomp_yields_make(struct waiter *self);

/* The same, and learns from a long yield.  `whoever`: whoever had the processor.  */
void ghcomp_yields_make_and_learn(struct waiter *self, bool whoever);

/* Called before the first yield of a wait.  True: it should sleep at once, by what has been learned.  */
bool ghcomp_yields_sleep_instead(struct waiter *self, bool whoever);

/* The system counts a yield as if the thread had had the rest of its time slice (Linux 6.18).  So beside others that
   compute the thread would lose its share of the processor.  */
static inline bool ghcomp_yields_cost_slices(const struct waiter *self)
{
  return load_relaxed(&self->slice) == SHORT_SLICE_NO_YIELDS;
}

#endif
