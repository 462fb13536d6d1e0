#include "team/team.h"

#include "task/event.h"
#include "task/task.h"
#include "wait/parking.h"

/* A task whose event is taken is not discarded, and the region does not end while the task is incomplete.  After that it does not
   end while this thread is counted in `region_state`: see close_region, and finish_tasks_alone for a team of one.  */
static void fulfill_deferred(struct task *task)
{
  struct team *team = task->team;
  add_relaxed(&team->region_state, 1); /* a thread that sees the task complete sees this too */
  struct thread *master = team->members[0].thread;
  if (ghcomp_task_fulfill(task)) {
    ghcomp_task_complete_outside(ghcomp_self(), task);
    ghcomp_barrier_look(team);
    ghcomp_parking_wake_crew(&team->crew);
  }
  sub_seq_cst(&team->region_state, 1);
  ghcomp_parking_wake(&master->waiter);
}

void ghcomp_event_fulfill(void *event)
{
  struct task *task = ghcomp_task_take_event(event);
  if (task == NULL)
    return;
  if ((task->flags & TASK_DETACH) != 0)
    fulfill_deferred(task);
  else
    ghcomp_task_fulfill_undeferred(task);
}
