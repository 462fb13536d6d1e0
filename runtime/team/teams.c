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

/* No more threads than `total` in all teams together: KMP_TEAMS_THREAD_LIMIT.  */
static void share_total(unsigned total, unsigned *num_teams, unsigned *thread_limit)
{
  if (*num_teams > total)
    *num_teams = total;
  unsigned share = total / *num_teams;
  if (*thread_limit == 0 || *thread_limit > share)
    *thread_limit = share;
}

/* Each team of a league gets a part of the places, where KMP_TEAMS_PROC_BIND or LLVM's default says so; its
   thread moves there.  `outer`: of which the parts are.  */
static void bind_team(struct thread *self, unsigned num_teams, unsigned number, const struct member *outer)
{
  struct member *member = self->member;
  ghcomp_places_assign(ghcomp_settings.teams_bind, num_teams, number, outer->partition, outer->place, &member->place,
                       &member->partition);
  ghcomp_places_bind_self(member->place, self->own_number);
  self->place_bound = 1 + member->place;
}

static void return_to_place(struct thread *self)
{
  ghcomp_places_bind_self(self->member->place, self->own_number);
  self->place_bound = 1 + self->member->place;
}

void ghcomp_teams_run(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit)
{
  const struct settings *s = &ghcomp_settings;
  if (num_teams == 0)
    num_teams = s->num_teams != 0 ? (unsigned)s->num_teams : DEFAULT_TEAMS;
  if (thread_limit == 0)
    thread_limit = (unsigned)s->teams_thread_limit;
  if (s->teams_total != 0)
    share_total((unsigned)s->teams_total, &num_teams, &thread_limit);
  bool binds = s->teams_bind != BIND_FALSE && s->initial.bind != BIND_FALSE && ghcomp_places.count != 0;
  for (unsigned i = 0; i < num_teams; i++) {
    struct thread *self = ghcomp_self();
    const struct member *outer = self->member;
    void *saved = ghcomp_team_push_initial(self->member->task->icv);
    self->member->team->num_teams = num_teams;
    self->member->team->team_num = i;
    ghcomp_teams_limit_threads(self, thread_limit);
    if (binds)
      bind_team(self, num_teams, i, outer);
    fn(data);
    ghcomp_team_pop_initial(saved);
    if (binds)
      return_to_place(ghcomp_self());
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
