/* The team barrier.  See barrier.md.  Spec: 5.2, 15.3.  */
#ifndef GHCOMP_CORE_BARRIER_H
#define GHCOMP_CORE_BARRIER_H

#include "core/types.h"

/* Returns when every member has arrived and every task of the team that was
   created before is complete; runs tasks meanwhile.
   Cost: one addition to a shared line and one line read.  */
void ghcomp_barrier_wait(struct thread *self);

/* The same where the region may be cancelled: true when it was, and then the
   caller leaves the region.  */
bool ghcomp_barrier_wait_cancel(struct thread *self);

/* Completes the barrier if it can complete; called by whoever completed a task
   of the team from outside (an event fulfilled by another thread).  */
void ghcomp_barrier_look(struct team *team);

#endif
