/* hint.h, where the other member waits at a barrier.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
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
