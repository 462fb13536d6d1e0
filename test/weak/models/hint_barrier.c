/* The other waits at a barrier.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/barrier.c core/gather.c core/relay.c core/team.c.  */
#include "hint.h"

void weak_setup(void)
{
  make_team(0);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    make_task(self, 0);
  ghcomp_barrier_wait(self);
}

void weak_end(void)
{
}
