/* A member has been called for a task, but what it waits for has come, and it goes back to the program.  A thread that is ahead, in the
   next region or behind the barrier, has made the task ready.  Only one member may be called at a time.  The sleeper is called, by that
   thread or by the member.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "next_task.h"

void weak_setup(void)
{
  weak_processors = 1;
  make_sleepers(2);
  sleeps(1, CALLED);
}

static void member_1(struct thread *self)
{
  ghcomp_parking_finish(&self->waiter, &team->crew);
  ghcomp_ready_pass_on(self);
}
