/* The other has just found that there is none, and takes that back.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c.  */
#include "hint.h"

void weak_setup(void)
{
  make_team(1);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    make_task(self, 0);
  else
    wait_for_any_task(self);
}

void weak_end(void)
{
}
