/* A docked worker is late by a region: it looks for tasks of the last one, while the master waits for the end of the next.  It does
   not enter, and the master does not sleep for ever because of its look.  Afterwards the worker does not use the team.
   code: team/fork.c team/hot.c team/join.c team/size.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/search.c
   task/deque.c task/lineage.c task/priority.c memory/free_list.c wait/parking.c team/gather.c team/relay.c team/barrier.c.  */
#include "made_team.h"
#include "region.h"
#include "simple_lock.h"
#include "task/task.h"
#include "team/team.h"
#include "team/worker.c"

unsigned weak_threads = 2;

static void body(void *data)
{
  (void)data;
}

void weak_setup(void)
{
  make_region(weak_threads);
  thread[1]->dock.team = team;
  thread[1]->dock.region_number = team->region_number++;
  team->region_state = (uint64_t)team->region_number << 32;
  begin_region(thread[0], body, NULL);
  team->joined = team->joined_when_all;
  team->any_deferred = true;
  be(0);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    help(self);
    weak_assert(self->dock.team == NULL);
    return;
  }
  ghcomp_team_join(self);
  team->members[0].thread = NULL; /* a data race with any thread that still uses the team */
}

void weak_end(void)
{
  weak_assert(team->members[1].helpers == 0);
}
