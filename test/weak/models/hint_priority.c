/* hint.h, where the task has a priority.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c.  */
#include "hint.h"

void weak_setup(void)
{
  make_team(1);
  ghcomp_settings.max_task_priority = 1;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    make_task(self, 1);
  else
    wait_for_any_task(self);
}

void weak_end(void)
{
}
