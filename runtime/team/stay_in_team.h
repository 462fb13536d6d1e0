/* A member that waits for others of its team, at a barrier or the join, stays awake for longer where that was enough lately.

   Loops whose parts take differently long let most members wait for hundreds of microseconds.  A member that sleeps after the usual
   60 µs comes back some tens of microseconds late, and a large team wakes its members one after the other, in a tree.  How long a
   member spins, and where not, is patience's part (wait/patience.h).  It does not where the team has deferred tasks: whoever makes one
   wakes a member for it.  */
#ifndef GHCOMP_TEAM_STAY_IN_TEAM_H
#define GHCOMP_TEAM_STAY_IN_TEAM_H

#include "team/team_wait.h"

bool ghcomp_stay_in_team_slowly(struct thread *self, const struct team *team);

/* Called when the thread has spun for as long as usual.  True: it spins as long again.  */
static inline bool ghcomp_stay_in_team(const struct wait *wait)
{
  const struct team_wait *of = (const struct team_wait *)wait;
  return ghcomp_patience_may_go_on(&of->self->in_team, &of->self->waiter) && ghcomp_stay_in_team_slowly(of->self, of->team);
}

/* Called before the thread sleeps.  */
void ghcomp_stay_in_team_before_sleep(struct wait *wait);

/* Called when the wait is over.  */
static inline void ghcomp_stay_in_team_learn(struct thread *self)
{
  ghcomp_patience_end(&self->in_team);
}

#endif
