/* teams, on the host and inside target, and what it sets.
   Spec: 5.2, 10.2, 18.4.  */
#include "team/team.h"
#include "team/thread.h"

#include "abi/border.h"

ENTRY_POINTS(gomp_teams);

EXPORT void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams,
                           unsigned thread_limit, unsigned flags)
{
  (void)flags;
  ghcomp_teams_run(fn, data, num_teams, thread_limit);
}

EXPORT bool GOMP_teams4(unsigned num_teams_low, unsigned num_teams_high, unsigned thread_limit,
                        bool first)
{
  (void)num_teams_low; /* the upper bound is always possible, because teams run one after another */
  return ghcomp_teams_next(ghcomp_self(), num_teams_high, thread_limit, first);
}

/* The form of GCC before 12, which executes the region once.  */
EXPORT void GOMP_teams(unsigned num_teams, unsigned thread_limit)
{
  (void)num_teams;
  ghcomp_teams_next(ghcomp_self(), 1, thread_limit, true);
}

EXPORT int omp_get_num_teams(void)
{
  return (int)ghcomp_self()->member->team->num_teams;
}

EXPORT int omp_get_team_num(void)
{
  return (int)ghcomp_self()->member->team->team_num;
}

EXPORT void omp_set_num_teams(int num_teams)
{
  ghcomp_start_once();
  if (num_teams >= 0)
    ghcomp_settings.num_teams = num_teams;
}

EXPORT int omp_get_max_teams(void)
{
  ghcomp_start_once();
  return ghcomp_settings.num_teams;
}

EXPORT void omp_set_teams_thread_limit(int thread_limit)
{
  ghcomp_start_once();
  if (thread_limit >= 0)
    ghcomp_settings.teams_thread_limit = thread_limit;
}

EXPORT int omp_get_teams_thread_limit(void)
{
  ghcomp_start_once();
  return ghcomp_settings.teams_thread_limit;
}
