/* Yields while a thread waits: only while its yields are short.  See parking.md, How long a thread spins.  Only parking.c uses
   this; it is inlined there.  */
#ifndef GHCOMP_WAIT_YIELDS_H
#define GHCOMP_WAIT_YIELDS_H

#include "base/atomics.h"
#include "base/cycles.h"
#include "base/memory.h"
#include "machine/processors.h"
#include "wait/running.h"
#include "wait/waiter.h"

#include <stdbool.h>

/* A yield to a thread that waits, too, takes a microsecond or two; one to a thread that computes, that one's time slice.  */
#define YIELDS_LONG_NS 250000u
/* A sleep costs about so much more than a short yield.  So as many waits sleep as cost what the long yield has cost: what
   is learned in vain costs no more than what taught it.  */
#define YIELDS_SLEEP_NS 10000u
#define YIELDS_MOST_SLEEPS 1000u

/* `self`: NULL, or where the yield is counted.  */
static inline void ghcomp_yields_make(struct waiter *self)
{
  ghcomp_machine_yield();
  if (self != NULL)
    ghcomp_count(&self->counters, STAT_YIELDS);
}

/* The same, and learns from a long yield.  */
static inline void ghcomp_yields_make_and_learn(struct waiter *self)
{
  uint64_t began = cycles_now();
  ghcomp_yields_make(self);
  uint64_t took = cycles_now() - began;
  if (likely(took < cycles_in(YIELDS_LONG_NS)))
    return;
  uint64_t sleeps = took / cycles_in(YIELDS_SLEEP_NS);
  self->sleeps_left = (unsigned short)(sleeps < YIELDS_MOST_SLEEPS ? sleeps : YIELDS_MOST_SLEEPS);
}

/* Called before the first yield of a wait.  True: the thread should sleep and not yield, because its last yield was long; or
   because other masters' regions run, whose threads would have the processor for a time slice.  */
static inline bool ghcomp_yields_sleep_instead(struct waiter *self)
{
  if (self->sleeps_left != 0) {
    self->sleeps_left--;
    return true;
  }
  return ghcomp_running_are_several();
}

#endif
