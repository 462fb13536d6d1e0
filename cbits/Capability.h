/* The Capability of a Haskell thread that is in an `unsafe` call.  A thread that keeps it delays
   collections, exceptions and other Haskell threads.  So every wait in such a call gives up if the
   RTS wants the Capability back, and never sleeps.  */
#ifndef GHCOMP_CBITS_CAPABILITY_H
#define GHCOMP_CBITS_CAPABILITY_H

#include "threads/host.h"
#include "wait/loop.h"

#include <Rts.h>

/* The heap limit, which the RTS clears to stop a Haskell thread.  The thread's next allocation goes
   to the scheduler and then back to the thread, before all other threads of its Capability, unless
   its time slice is over.  */
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

/* The kinds of such waits (wait/loop.h) have .when_spent = THEN_GIVE_UP and these two
   functions.  */

static inline bool ghcomp_capability_is_wanted_of(struct wait *wait)
{
  (void)wait;
  return ghcomp_capability_is_wanted();
}

/* The same with every wait policy.  Afterwards the thread sleeps in Haskell, where exceptions reach
   it.  */
#define CAPABILITY_WAIT_NS 50000u

/* There are at most as many helpers as Capabilities.  So the number of threads in the teams of all
   loops says nothing about the processors.  Haskell threads end all these waits: if there is no other Capability, none can.  */
static inline struct spin ghcomp_capability_begin_wait(struct wait *wait)
{
  struct spin w = ghcomp_parking_begin(wait->self, NULL);
  if (w.budget > CAPABILITY_WAIT_NS)
    w.budget = CAPABILITY_WAIT_NS;
  if (ghcomp_host_capabilities() == 1)
    w.budget = 0;
  if (wait->pauses_per_look != 0)
    w.pauses_per_look = wait->pauses_per_look;
  w.crowded = false;
  return w;
}

#endif
