/* See stay_in_team.h.  */
#include "team/stay_in_team.h"

bool ghcomp_stay_in_team_slowly(struct thread *self, const struct team *team)
{
  return !load_relaxed(&team->any_deferred) && ghcomp_patience_goes_on_slowly(&self->in_team, &self->waiter);
}

void ghcomp_stay_in_team_before_sleep(struct wait *wait)
{
  const struct team_wait *of = (struct team_wait *)wait;
  if (!load_relaxed(&of->team->any_deferred))
    ghcomp_patience_before_sleep(&of->self->in_team);
}
