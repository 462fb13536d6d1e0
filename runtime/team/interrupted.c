/* A region that a handler of a signal starts while its thread is at work in the runtime (base/inside.h): the thread is calling
   a team, or ends a region, or is a worker between two regions.

   What it is at work on stays as it is until the handler returns.  The region gets an initial context of its own, which allows
   no active level, and so one thread.  Nothing here takes a lock, because the thread may hold it.  The count stays, so a region
   inside that one, or in a handler that interrupts this one, gets a context of its own, too.

   Invariant: handlers of one thread end in the reverse order of their beginnings.  So if one takes a team from the list between
   the load and the store in take_team, the list is the same again when it returns, or was empty and is longer.  */
#include "team/team.h"

#include "settings/icv.h"
#include "task/stack.h"
#include "task/task.h"

static struct team *take_team(struct thread *self)
{
  struct team *team = self->spare_teams;
  if (team == NULL)
    return ghcomp_reuse_map_team();
  self->spare_teams = team->next_unused;
  return team;
}

static void keep_team(struct thread *self, struct team *team)
{
  team->next_unused = self->spare_teams;
  self->spare_teams = team;
}

void ghcomp_team_interrupt(struct thread *self)
{
  struct team *context = take_team(self), *below = take_team(self);
  ghcomp_team_begin_initial(context, self);
  ghcomp_stack_begin(self, &context->members[0]);
  context->own_icv = ghcomp_settings.initial;
  context->own_icv.max_active_levels = 0;
  context->icv = context->members[0].task->icv = &context->own_icv;
  context->members[0].hot = below;
  below->at_end = AT_END_RESUME;
  context->interrupted = self->member;
  ghcomp_self_serves(self, &context->members[0]);
}

void ghcomp_team_resume(struct thread *self)
{
  struct team *context = self->member->team, *below = self->member->hot;
  self->member->hot = NULL;
  ghcomp_task_end_implicit(self->member);
  ghcomp_self_serves(self, context->interrupted);
  keep_team(self, below);
  keep_team(self, context);
}

void ghcomp_team_drop_spare(struct thread *self)
{
  for (struct team *team = self->spare_teams, *next; team != NULL; team = next) {
    next = team->next_unused;
    ghcomp_reuse_return_team(team);
  }
  self->spare_teams = NULL;
}
