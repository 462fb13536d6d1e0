/* See stay_in_team.h.  */
#include "team/stay_in_team.h"

#include "machine/clock.h"

static bool is_allowed(const struct team *team)
{
  return !load_relaxed(&team->any_deferred) && ghcomp_patience_is_allowed();
}

bool ghcomp_stay_in_team_slowly(struct thread *self, const struct team *team)
{
  if (!is_allowed(team))
    return false;
  uint64_t now = clock_ns();
  if (self->in_team.since == 0)
    self->in_team.since = now;
  return !ghcomp_patience_is_over(&self->in_team, now) && !ghcomp_patience_is_asked_for_processor(&self->in_team, &self->waiter);
}

void ghcomp_stay_in_team_before_sleep(struct wait *wait)
{
  const struct team_wait *of = (struct team_wait *)wait;
  if (of->self->in_team.since == 0 && is_allowed(of->team))
    of->self->in_team.since = clock_ns();
}

void ghcomp_stay_in_team_learn_slowly(struct thread *self)
{
  ghcomp_patience_learn(&self->in_team, !ghcomp_patience_is_over(&self->in_team, clock_ns()));
}
