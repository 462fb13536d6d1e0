/* A taskgroup counts its unfinished tasks; its owner waits for the count.  */
#include "task/taskgroup.h"

#include "base/memory.h"
#include "task/task_wait.h"
#include "team/types.h"

struct taskgroup *ghcomp_taskgroup_begin(struct thread *self)
{
  struct task *task = self->member->task;
  struct taskgroup *group = ghcomp_memory_get_zero(sizeof *group);
  store_relaxed(&group->unfinished, 1);
  store_relaxed(&group->owner, &self->waiter);
  group->outer = task->group;
  group->reductions = task->group != NULL ? task->group->reductions : NULL;
  task->group = group;
  return group;
}

void ghcomp_taskgroup_end(struct thread *self)
{
  struct task *task = self->member->task;
  struct taskgroup *group = task->group;
  if (group == NULL)
    return;
  ghcomp_task_wait_count(self, &group->unfinished);
  task->group = group->outer;
  ghcomp_memory_release(group);
}
