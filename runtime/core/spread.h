/* Where the threads of a team run.

   The system puts two threads on one processor while another has none, more often than
   one would think, and leaves them there for a while.  Threads say where they are;
   a worker that finds more of its team on its processor than is its share, again and
   again, leaves it.  Not where places bind it.  */
#ifndef GHCOMP_CORE_SPREAD_H
#define GHCOMP_CORE_SPREAD_H

#include "core/types.h"

#include <sched.h>

/* Says where the calling thread is; returns it.  The line is written when it changes.  */
static inline int ghcomp_spread_say(struct thread *self)
{
  int here = sched_getcpu();
  if (load_relaxed(&self->processor) != here)
    store_relaxed(&self->processor, here);
  return here;
}

/* Called where the thread has reason to think so: at the start of a region, or after a
   yield in a wait.  Looks at the others now and then only.
   Requires: the team's threads do not change meanwhile.  */
void ghcomp_spread_suspect(struct thread *self, const struct team *team);

/* A master that has waited for its turn woke where the system chose to, often where a worker of
   its team spins or sleeps, while the processor of the master before it is free.  Keeps such workers
   off its own processor until they have served.  Call before they have mail.
   Cost: three system calls for each such worker, else a load for each.  */
void ghcomp_spread_make_way(const struct team *team);

void ghcomp_spread_lift(struct thread *worker);

/* The worker has served, and may be on any processor again.  Relaxed: the master wrote it before
   it sent the mail.  */
static inline void ghcomp_spread_come_back(struct thread *worker)
{
  if (unlikely(load_relaxed(&worker->kept_off) != 0))
    ghcomp_spread_lift(worker);
}

#endif
