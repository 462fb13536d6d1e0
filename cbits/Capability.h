/* The Capability of a Haskell thread that is in an `unsafe` call.  Whoever keeps one keeps collections,
   exceptions and other Haskell threads waiting.  So every wait in such a call looks whether the RTS
   wants the Capability back, and gives up; and it never sleeps.  */
#ifndef GHCOMP_CBITS_CAPABILITY_H
#define GHCOMP_CBITS_CAPABILITY_H

#include "wait/loop.h"

#include <Rts.h>

/* The heap limit that the RTS clears in order to stop a Haskell thread: the thread's
   next allocation takes it to the scheduler, and from there back to where it was,
   before all others of its Capability, unless its time slice is over.  */
static inline _Atomic(StgPtr) *ghcomp_capability_heap_limit(void)
{
  CapabilityPublic *own = (CapabilityPublic *)rts_unsafeGetMyCapability();
  return (_Atomic(StgPtr) *)&own->r.rHpLim;
}

/* The RTS wants the calling thread's Capability back: for a collection, for
   another Haskell thread, or to deliver an exception.  */
static inline bool ghcomp_capability_is_wanted(void)
{
  return load_relaxed(ghcomp_capability_heap_limit()) == NULL;
}

/* -------------------------------------------------------------------- waiting */

/* For the kinds of such waits (wait/loop.h): .when_spent = THEN_GIVE_UP, and these two.  */

static inline bool ghcomp_capability_is_wanted_of(struct wait *wait)
{
  (void)wait;
  return ghcomp_capability_is_wanted();
}

/* With every wait policy: then the thread sleeps in Haskell, where exceptions reach it.  */
#define CAPABILITY_WAIT_NS 50000u

/* There are as many helpers as Capabilities at the most, so how many threads the teams of all
   loops have together says nothing of the processors.  */
static inline struct waiting ghcomp_capability_begin_wait(struct wait *wait)
{
  struct waiting w = ghcomp_parking_begin(wait->self, NULL);
  if (w.budget > CAPABILITY_WAIT_NS)
    w.budget = CAPABILITY_WAIT_NS;
  if (wait->gap != 0)
    w.gap = wait->gap;
  w.crowded = false;
  return w;
}

#endif
