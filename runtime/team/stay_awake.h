/* A worker that waits for the next region stays awake while its master computes.

   To wake a thread takes as long as many regions do, some tens of microseconds.  A worker spins for up to 175 µs in any
   case (wait/parking.c).  Where the parts between the regions are longer, up to STAY_LONGEST_NS, and the master computes
   there, it spins on.  Where the master sleeps, the program has nothing to gain, and the worker sleeps, too.

   A worker learns that it pays when it has slept, has been woken soon enough, and the master has computed meanwhile.
   While it stays awake it asks every STAY_LOOK_NS:

   * Has the master computed since?  The answer is the system's clock of that thread.
   * Does another program want this processor?  The answer is how long a yield takes.

   It does not stay awake where a CPU quota is in force, because its spinning would count; in a Haskell program, whose
   garbage collector needs the processors; where threads outnumber processors; and where a wait policy is set, which says
   how long to spin.  */
#ifndef GHCOMP_TEAM_STAY_AWAKE_H
#define GHCOMP_TEAM_STAY_AWAKE_H

#include "state/thread.h"

/* Called in each round of spinning that ends with a look at the clock, where no other thread is known to need the
   processor.  Returns when the spinning ends: later than `deadline` (nanoseconds) if that is near and staying awake pays.

   It gets no address of what the wait loop keeps in registers.  */
uint64_t ghcomp_stay_awake_until(struct thread *self, uint64_t deadline);

static inline bool ghcomp_stay_awake_pays(const struct thread *self)
{
  return unlikely(self->awake.patience != 0);
}

/* Called before the thread sleeps.  */
void ghcomp_stay_awake_before_sleep(struct thread *self);

void ghcomp_stay_awake_learn_slowly(struct thread *self);

/* Called when the wait is over.  */
static inline void ghcomp_stay_awake_learn(struct thread *self)
{
  if (unlikely(self->awake.since != 0))
    ghcomp_stay_awake_learn_slowly(self);
}

#endif
