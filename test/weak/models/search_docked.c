/* A docked worker looks whether it is to search for tasks, while its master ends the region and begins one of another size.  The
   worker reads and writes nothing that the master changes meanwhile, and leaves no searcher behind.
   code: team/fork.c team/join.c team/size.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/search.c
   task/deque.c task/lineage.c task/priority.c memory/free_list.c wait/parking.c team/gather.c team/relay.c team/barrier.c.  */
#include "team/hot.c"
#include "made_team.h"
#include "region.h"
#include "simple_lock.h"
#include "task/task.h"
#include "team/team.h"
#include "team/worker.c"

unsigned weak_threads = 2;

uint32_t ghcomp_stack_share(void)
{
  return STACK_PART_MOST;
}

void ghcomp_slots_reset(struct team *of)
{
  (void)of;
}

static void body(void *data)
{
  (void)data;
}

void weak_setup(void)
{
  make_region(ALL_SEARCH + 1);
  ghcomp_search_shape(team);
  thread[1]->dock.team = team;
  thread[1]->dock.search_group = team->members[1].search_group[GATHER_JOIN];
  begin_region(thread[0], body, NULL);
  team->joined = team->joined_when_all;
  team->any_deferred = true;
  team->ready_hint = 1; /* by a task that is gone */
  be(0);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    struct mail_wait mail = {.wait.self = &self->waiter, .self = self};
    keep_or_help(&mail.wait);
    ghcomp_search_end(self);
    return;
  }
  ghcomp_team_join(self);
  resize(team, 2);
  team->members[1].tasks.others = 0; /* another worker is this member now */
}

void weak_end(void)
{
  weak_assert(team->members[0].group.search.changes % 2 == 0 && team->members[1].helpers == 0);
}
