/* A member that waits for others of its team, at a barrier or the join, stays awake for longer where that was enough lately.

   Loops whose parts take differently long let most members wait for hundreds of microseconds.  A member that sleeps after the usual
   60 µs comes back some tens of microseconds late, and a large team wakes its members one after the other, in a tree.  How long a
   member spins, and where not, is patience's part (wait/patience.h).  It does not where the team has deferred tasks: whoever makes one
   wakes a member for it.  */
#ifndef GHCOMP_TEAM_STAY_IN_TEAM_H
#define GHCOMP_TEAM_STAY_IN_TEAM_H

#include "team/team_wait.h"

void ghcomp_stay_in_team_slowly(struct thread *self, const struct team *team, struct spin *w);
void ghcomp_stay_in_team_learn_slowly(struct thread *self);

/* Called before each round of spinning.  Moves the spinning's end if that is near and staying awake pays.  */
static inline void ghcomp_stay_in_team(struct wait *wait, struct spin *w)
{
  struct team_wait *of = (struct team_wait *)wait;
  if (likely(w->deadline == 0 || w->pauses_or_yields != 0) || likely(of->self->in_team.left == 0) || w->crowded || w->shares_processor)
    return;
  ghcomp_stay_in_team_slowly(of->self, of->team, w);
}

/* Called before the thread sleeps.  */
void ghcomp_stay_in_team_before_sleep(struct wait *wait);

/* Called when the wait is over.  */
static inline void ghcomp_stay_in_team_learn(struct thread *self)
{
  if (unlikely(self->in_team.since != 0))
    ghcomp_stay_in_team_learn_slowly(self);
}

#endif
