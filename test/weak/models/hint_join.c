/* hint.h, where the other member is the master and waits for the region's end.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/join.c team/gather.c team/relay.c.  */
#include "hint.h"
#include "team/team.h"
#include "region.h"

void weak_setup(void)
{
  make_team(0);
  make_outer();
  team->joined_when_all = 1;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(1 - number);
  if (self == thread[0]) {
    ghcomp_team_join(self);
    return;
  }
  make_task(self, 0);
  if (add_seq_cst_at(0, &team->joined, 1) + 1 == team->joined_when_all) /* like worker.c */
    ghcomp_parking_wake(&thread[0]->waiter);
}

void weak_end(void)
{
}
