/* A worker that waits for the next region stays awake while its master computes.

   A worker spins for up to 175 µs in any case (wait/parking.c).  Where the parts between the regions are longer, up to 2 ms, and
   the master computes there, it spins on (wait/patience.h).  Where the master sleeps, the program has nothing to gain, and the worker
   sleeps, too.  So it asks with each look, also when it learns, whether the master has computed since the last one.  The answer is the
   system's clock of that thread.  */
#ifndef GHCOMP_TEAM_STAY_AWAKE_H
#define GHCOMP_TEAM_STAY_AWAKE_H

#include "state/thread.h"

bool ghcomp_stay_awake_slowly(struct thread *self);

/* Called when the thread has spun for as long as usual.  True: it spins on, for ghcomp_stay_awake_ns, and asks again.  */
static inline bool ghcomp_stay_awake(struct thread *self)
{
  return self->awake.patience.left != 0 && !self->waiter.shares_processor && ghcomp_stay_awake_slowly(self);
}

uint32_t ghcomp_stay_awake_ns(void);

/* Called before the thread sleeps.  */
void ghcomp_stay_awake_before_sleep(struct thread *self);

void ghcomp_stay_awake_learn_slowly(struct thread *self);

/* Called when the wait is over.  */
static inline void ghcomp_stay_awake_learn(struct thread *self)
{
  if (unlikely(self->awake.patience.since != 0))
    ghcomp_stay_awake_learn_slowly(self);
}

#endif
