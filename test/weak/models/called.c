/* A member has been called for a task and finds it; the task waits for the next one, so the member does not look again.  Meanwhile the
   next one is made ready, and only one member may be called at a time.  The sleeper is called, by whoever has made the task ready or by
   that member.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "next_task.h"

void weak_setup(void)
{
  weak_processors = 1;
  make_sleepers(2);
  sleeps(1, CALLED);
  make_older_task();
}

static void member_1(struct thread *self)
{
  ghcomp_parking_finish(&self->waiter, &team->crew);
  weak_assert(steal_older_task() != NULL);
  ghcomp_ready_pass_on(self);
}
