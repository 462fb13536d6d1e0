/* Cancellation: flags in the team and in taskgroups, read at the cancellation
   points and before a task starts.

   A cancelled loop or sections construct is remembered by the number of its barrier phase.  So the
   barrier at its end also ends the cancellation, and no thread has to reset it.  */
#include "team/team.h"

#include "wait/parking.h"

static uint32_t this_phase(struct team *team)
{
  return load_relaxed(&team->barrier.phase) + 1;
}

static struct taskgroup *cancellable_group(struct task *task)
{
  struct taskgroup *group = task->group;
  if (group != NULL && group->workshare)
    group = group->outer;
  return group;
}

bool ghcomp_cancel_check(struct thread *self, int which)
{
  if (!ghcomp_settings.cancellation)
    return false;
  struct member *member = self->member;
  struct team *team = member->team;
  if ((which & (CANCEL_LOOP | CANCEL_SECTIONS)) != 0 &&
      load_relaxed(&team->construct_cancelled) == this_phase(team))
    return true;
  if ((which & CANCEL_TASKGROUP) != 0) {
    struct taskgroup *group = cancellable_group(member->task);
    if (group != NULL && load_relaxed(&group->cancelled))
      return true;
  }
  return load_relaxed(&team->cancelled); /* the next cancellation point sees it, or the barrier */
}

bool ghcomp_cancel_activate(struct thread *self, int which)
{
  if (!ghcomp_settings.cancellation)
    return false;
  struct member *member = self->member;
  struct team *team = member->team;
  if ((which & (CANCEL_LOOP | CANCEL_SECTIONS)) != 0) {
    store_relaxed(&team->construct_cancelled, this_phase(team));
  } else if ((which & CANCEL_TASKGROUP) != 0) {
    struct taskgroup *group = cancellable_group(member->task);
    if (group != NULL)
      store_relaxed(&group->cancelled, true);
  } else {
    swap_seq_cst(&team->cancelled, true); /* pairs with is_cancelled in barrier.c */
    ghcomp_parking_wake_crew(&team->crew);
  }
  return true;
}
