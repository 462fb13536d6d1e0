/* hint.h, where the other member is a worker that has joined, and waits for mail.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/join.c team/gather.c team/relay.c.  */
#include "team/worker.c"
#include "hint.h"
#include "region.h"

uint64_t ghcomp_pool_ns_to_look(void)
{
  return 1;
}

void weak_setup(void)
{
  make_team(0);
  make_outer();
  thread[1]->is_worker = true;
  thread[1]->dock.team = team;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    make_task(self, 0);
    ghcomp_worker_send(thread[1], NULL);
  } else
    wait_for_mail(self);
}

void weak_end(void)
{
}
