/* hint.h, where the other member waits for a taskgroup.  A task of that group creates the task.  */
#ifndef WEAK_HINT_GROUP_H
#define WEAK_HINT_GROUP_H

#include "task/taskgroup.h"
#include "hint.h"

static struct taskgroup *group;
static struct task *maker; /* the group counts it until the body ends */

static void count_maker(void)
{
  ghcomp_parking_count_down(&group->unfinished, load_relaxed_at(0, &group->waiter));
}

void weak_setup(void)
{
  make_team(0);
  ghcomp_settings.max_task_priority = 1;
  group = ghcomp_taskgroup_begin(thread[0]);
  group->unfinished = 2;
  also_done = count_maker;
  maker = weak_alloc(sizeof *maker);
  *maker = (struct task){.team = team, .group = group, .icv = team->members[0].implicit.icv};
  maker->parent = &team->members[0].implicit;
  maker->depth = 1;
  maker->runner = thread[1];
  thread[1]->member->task = maker;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    ghcomp_taskgroup_end(self);
    return;
  }
  make_task(self, PRIORITY);
}

void weak_end(void)
{
}

#endif
