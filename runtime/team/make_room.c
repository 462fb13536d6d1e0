/* At a region's end in a Haskell program: does the RTS wait for a processor?

   A Haskell thread that calls C gives its Capability up.  If another Haskell thread is in its run queue, the RTS wakes an OS
   thread, which takes the Capability when it has a processor.  While the region's threads compute, that OS thread waits for
   a time slice.  A short region is over before: the master returns to Haskell, finds its Capability free, and takes it
   again.  The other OS thread sleeps anew.  So a thread that starts one region after the other would keep the Haskell threads
   of its Capability from their work for as long as it likes.

   A collection needs an OS thread for each Capability.  One that is woken for it waits in the same way, and all Haskell
   threads with it.  Therefore the master yields when the RTS waits.  */
#include "team/fork.h"

#include "base/cycles.h"
#include "threads/give_way.h"
#include "threads/substrate.h"

/* A look fetches lines of all Capabilities, so it is as rare as there are many.  */
#define LOOK_NS 10000u
/* A yield costs the rest of a time slice, and an OS thread of the RTS that has got a processor needs no other yield soon.  */
#define YIELD_NS 300000u

/* For the whole process.  Relaxed: if two masters look at the same time, one look is too many.  */
static _Atomic uint64_t next_look; /* cycles */

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

void ghcomp_make_room_for_haskell(struct thread *self)
{
  uint64_t now = cycles_now();
  if (now < load_relaxed(&next_look))
    return;
  uint64_t due = ghcomp_give_way_due();
  bool waits = ghcomp_substrate_host_waits();
  store_relaxed(&next_look, later(due, now + cycles_in(waits ? YIELD_NS : LOOK_NS * ghcomp_substrate_host_capabilities())));
  if (!waits || now < due)
    return;
  ghcomp_count(&self->waiter.counters, STAT_ROOM_MADE);
  due = ghcomp_give_way();
  store_relaxed(&next_look, later(due, cycles_now() + cycles_in(YIELD_NS)));
}
