/* The creator of an undeferred task waits for its event, which another thread fulfills.
   code: task/task.c task/children.c task/header.c task/task_wait.c wait/parking.c.  */
#include "made_team.h"
#include "task/deque.h"
#include "task/task.h"
#include "task/task_wait.h"

unsigned weak_threads = 2;
static struct task *task;
static int result;

struct found ghcomp_ready_find(struct thread *self, struct task *ancestor, bool (*has_come)(const void *), const void *awaited)
{
  (void)self, (void)ancestor;
  return (struct found){NULL, false};
}

struct found ghcomp_ready_uncover(struct thread *self)
{
  (void)self;
  return (struct found){NULL, false};
}

void weak_setup(void)
{
  make_members(weak_threads);
  task = weak_alloc(sizeof *task);
  task->team = team;
  task->runner = thread[0];
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    result = 1;
    ghcomp_task_fulfill_undeferred(task);
    return;
  }
  ghcomp_task_wait_event(self, task);
  weak_assert(result == 1);
}

void weak_end(void)
{
}
