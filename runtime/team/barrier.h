/* The team barrier.  See barrier.md.  Spec: 5.2, 15.3.  */
#ifndef GHCOMP_TEAM_BARRIER_H
#define GHCOMP_TEAM_BARRIER_H

#include "team/types.h"

/* Where there are others, or tasks.  */
void ghcomp_barrier_wait_slowly(struct thread *self);

/* Returns when every member has arrived and every task of the team that was
   created before is complete; runs tasks meanwhile.
   Cost: one addition to a shared line and one line read; alone, a store.  */
static inline void ghcomp_barrier_wait(struct thread *self)
{
  struct team *team = self->member->team;
  if (unlikely(team->size != 1 || load_relaxed(&team->tasking)))
    ghcomp_barrier_wait_slowly(self);
  else
    store_relaxed(&team->construct_cancelled, 0);
}

/* The same where the region may be cancelled: true when it was, and then the
   caller leaves the region.  */
bool ghcomp_barrier_wait_cancel(struct thread *self);

/* Completes the barrier if it can complete; called by whoever completed a task
   of the team from outside (an event fulfilled by another thread).  */
void ghcomp_barrier_look(struct team *team);

#endif
