/* A member has slept until what it waits for came, goes on, and sleeps for something that is no task.  Whoever makes a task ready may have
   looked at the first sleep, and call the member in the second one.  Another sleeper is called, by that thread or by the member.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "next_task.h"

void weak_setup(void)
{
  weak_processors = 1;
  make_sleepers(2);
  sleeps(1, PARKED);
}

static void member_1(struct thread *self)
{
  ghcomp_parking_finish(&self->waiter, &team->crew);
  ghcomp_ready_pass_on(self);
  ghcomp_parking_prepare(&self->waiter, NULL, PARK_FOR_NOTHING);
  ghcomp_parking_finish(&self->waiter, NULL);
}
