/* At a region's end in a Haskell program: does the RTS wait for a processor?

   A Haskell thread that calls C gives its Capability up.  If another Haskell thread is in its run queue, the RTS wakes an OS
   thread, which takes the Capability when it has a processor.  While the region's threads compute, that OS thread waits for
   a time slice.  A short region is over before: the master returns to Haskell, finds its Capability free, and takes it
   again.  The other OS thread sleeps anew.  So a thread that starts one region after the other would keep the Haskell threads
   of its Capability from their work for as long as it likes.

   A collection needs an OS thread for each Capability.  One that is woken for it waits in the same way, and all Haskell
   threads with it.  Therefore the master yields when the RTS waits.

   Where other programs compute they get the processor instead, for a whole time slice.  Then the process computes little
   during the yield, and masters yield more and more rarely.  */
#include "team/fork.h"

#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "threads/substrate.h"

/* A look fetches lines of all Capabilities, so it is as rare as there are many.  */
#define LOOK_NS 10000u
/* A yield costs the rest of a time slice, and an OS thread of the RTS that has got a processor needs no other yield soon.  */
#define YIELD_NS 300000u
/* After a yield that was as long as this and went to others: no other one for twice as long as it took, then for four times,
   and so on.  */
#define LONG_NS 500000u
enum { MOST_IN_A_ROW = 8 };

/* For the whole process.  Relaxed: if two masters look at the same time, one look is too many.  */
static _Atomic uint64_t next_look; /* cycles */
static _Atomic unsigned lost;      /* long yields in a row that went to others */

/* Returns for how many cycles there is no other look.  */
static uint64_t pause_after(uint64_t took, uint64_t computed)
{
  unsigned in_a_row = load_relaxed(&lost);
  if (took < cycles_in(LONG_NS))
    return cycles_in(YIELD_NS);
  if (computed >= took - took / 8) {
    store_relaxed(&lost, 0);
    return cycles_in(YIELD_NS);
  }
  store_relaxed(&lost, in_a_row < MOST_IN_A_ROW ? in_a_row + 1 : in_a_row);
  return took << (in_a_row + 1);
}

static uint64_t yield(void)
{
  uint64_t began = cycles_now(), computed = ghcomp_machine_process_computed();
  ghcomp_machine_yield();
  uint64_t took = cycles_now() - began;
  return pause_after(took, cycles_in(ghcomp_machine_process_computed() - computed));
}

void ghcomp_make_room_for_haskell(struct thread *self)
{
  uint64_t now = cycles_now();
  if (now < load_relaxed(&next_look))
    return;
  bool waits = ghcomp_substrate_host_waits();
  store_relaxed(&next_look, now + cycles_in(waits ? YIELD_NS : LOOK_NS * ghcomp_substrate_host_capabilities()));
  if (!waits)
    return;
  ghcomp_count(&self->waiter.counters, STAT_ROOM_MADE);
  uint64_t pause = yield();
  store_relaxed(&next_look, cycles_now() + pause);
}
