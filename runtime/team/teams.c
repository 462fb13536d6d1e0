/* The teams of a league run one after another on the host.  Each is an initial team (level 0) with
   a contention group of its own.  */
#include "team/team.h"

#include "task/lineage.h"

#include <limits.h>

/* Without a clause and without OMP_NUM_TEAMS: as many as libgomp makes.  */
#define DEFAULT_TEAMS 3

void ghcomp_teams_limit_threads(struct thread *self, unsigned limit)
{
  if (limit != 0)
    ghcomp_icv_scope_own(self)->thread_limit = limit > INT_MAX ? INT_MAX : limit;
}

void ghcomp_teams_run(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit)
{
  const struct settings *s = &ghcomp_settings;
  if (num_teams == 0)
    num_teams = s->num_teams != 0 ? (unsigned)s->num_teams : DEFAULT_TEAMS;
  if (thread_limit == 0)
    thread_limit = (unsigned)s->teams_thread_limit;
  for (unsigned i = 0; i < num_teams; i++) {
    struct thread *self = ghcomp_self();
    void *saved = ghcomp_team_push_initial(self->member->task->icv);
    self->member->team->num_teams = num_teams;
    self->member->team->team_num = i;
    ghcomp_teams_limit_threads(self, thread_limit);
    fn(data);
    ghcomp_team_pop_initial(saved);
  }
}

bool ghcomp_teams_next(struct thread *self, unsigned num_teams, unsigned thread_limit, bool first)
{
  struct team *team = self->member->team;
  if (!first) {
    if (team->team_num + 1 >= team->num_teams)
      return false;
    team->team_num++;
    return true;
  }
  ghcomp_teams_limit_threads(self, thread_limit);
  team->num_teams = num_teams != 0 ? num_teams : 1;
  team->team_num = 0;
  return true;
}
