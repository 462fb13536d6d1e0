/* The thread that began a taskgroup waits for two tasks, sees what they did, and releases the
   group.
   code: task/taskgroup.c task/task_wait.c wait/parking.c.  */
#include "made_team.h"
#include "task/deque.h"
#include "task/taskgroup.h"

unsigned weak_threads = 3;
static struct taskgroup *group;
static int result[3];

struct found ghcomp_ready_find(struct thread *self, struct task *ancestor, bool (*has_come)(const void *), const void *awaited)
{
  return (struct found){NULL, false};
}

struct found ghcomp_ready_uncover(struct thread *self)
{
  return (struct found){NULL, false};
}

void weak_setup(void)
{
  make_members(weak_threads);
  group = ghcomp_taskgroup_begin(thread[0]);
  group->unfinished = 3;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    result[number] = 1;
    ghcomp_parking_count_down(&group->unfinished, load_relaxed_at(0, &group->waiter));
    return;
  }
  ghcomp_taskgroup_end(self);
  weak_assert(result[1] == 1 && result[2] == 1);
}

void weak_end(void)
{
}
