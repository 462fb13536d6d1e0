/* The master waits for the region's end.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/team.c core/gather.c core/relay.c.  */
#include "hint.h"
#include "core/team.h"
#include "region.h"

void weak_setup(void)
{
  make_team(0);
  make_outer();
  team->goal = 1;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(1 - number);
  if (self == thread[0]) {
    ghcomp_team_join(self);
    return;
  }
  make_task(self, 0);
  if (add_seq_cst_at(0, &team->joined, 1) + 1 == team->goal) /* as worker.c does */
    ghcomp_parking_wake(thread[0]);
}

void weak_end(void)
{
}
