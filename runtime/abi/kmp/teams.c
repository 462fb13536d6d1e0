/* teams on the host, and what is said of the next league.  Spec: 5.2, 10.2.  */
#include "abi/kmp/call.h"
#include "base/message.h"
#include "team/team.h"

#include <omp.h>

ENTRY_POINTS(kmp_teams);

static unsigned number(int32_t argument)
{
  return argument > 0 ? (unsigned)argument : 0;
}

EXPORT void __kmpc_push_num_teams(struct kmp_ident *where, int32_t gtid, int32_t teams, int32_t thread_limit)
{
  (void)where, (void)gtid;
  struct thread_next *next = &ghcomp_self()->next_region;
  next->teams = number(teams);
  next->thread_limit = number(thread_limit);
}

/* The upper bound can always be had: teams take turns.  */
EXPORT void __kmpc_push_num_teams_51(struct kmp_ident *where, int32_t gtid, int32_t lower, int32_t upper,
                                     int32_t thread_limit)
{
  __kmpc_push_num_teams(where, gtid, upper > 0 ? upper : lower, thread_limit);
}

/* Without a number there is one team, where GCC's code has as many as libgomp makes.  */
static unsigned teams_of(const struct thread_next *next)
{
  return next->teams != 0 || ghcomp_settings.num_teams != 0 ? next->teams : 1;
}

EXPORT void __kmpc_fork_teams(struct kmp_ident *where, int32_t count, kmp_body *body, ...)
{
  (void)where;
  struct member_call call = {0};
  void *words[ghcomp_call_room((unsigned)count)];
  va_list rest;
  va_start(rest, body);
  ghcomp_call_fill(&call, body, (unsigned)count, words, rest);
  va_end(rest);
  ghcomp_kmp_meet();
  struct thread *self = ghcomp_self();
  struct thread_next next = ghcomp_kmp_take_next(self);
  ghcomp_teams_run(ghcomp_call_run, &call, teams_of(&next), next.thread_limit);
}

/* thread_limit on a target construct, which compiled code runs as a task.  */
EXPORT void __kmpc_set_thread_limit(struct kmp_ident *where, int32_t gtid, int32_t thread_limit)
{
  (void)where, (void)gtid;
  ghcomp_teams_limit_threads(ghcomp_self(), number(thread_limit));
}

/* ------------------------------------------------------------------ what they set */

/* OpenMP restricts the two routines to the sequential part of a program.  Elsewhere LLVM's ignore the call, and say so each time;
   libgomp's set the value.  */
static bool is_sequential(const char *name, int value)
{
  struct thread *self = ghcomp_self();
  bool is = self->member->team == self->initial_team;
  if (!is && ghcomp_settings.warnings)
    ghcomp_message_say("%s(%d): expected outside of parallel regions and leagues; call ignored", name, value);
  return is;
}

EXPORT void ghcomp_kmp_set_num_teams(int num_teams)
{
  if (is_sequential("omp_set_num_teams", num_teams))
    omp_set_num_teams(num_teams);
}

EXPORT void ghcomp_kmp_set_num_teams_(const int32_t *num_teams)
{
  ghcomp_kmp_set_num_teams(*num_teams);
}

EXPORT void ghcomp_kmp_set_teams_thread_limit(int thread_limit)
{
  if (is_sequential("omp_set_teams_thread_limit", thread_limit))
    omp_set_teams_thread_limit(thread_limit);
}

EXPORT void ghcomp_kmp_set_teams_thread_limit_(const int32_t *thread_limit)
{
  ghcomp_kmp_set_teams_thread_limit(*thread_limit);
}
