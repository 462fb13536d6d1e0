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

#endif
