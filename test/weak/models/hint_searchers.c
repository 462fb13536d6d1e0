/* hint_barrier.c in a team that has searchers: one who has lost its processor.  All members but two have arrived.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/search.c task/deque.c task/lineage.c task/priority.c
   memory/free_list.c wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "hint.h"
#include "task/search.h"

void weak_setup(void)
{
  make_members(ALL_SEARCH + 1);
  make_headers();
  ghcomp_search_shape(team);
  team->barrier.arrived = ALL_SEARCH - 1;
  team->members[0].group.search.changes = 1;
  team->any_deferred = true;
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
