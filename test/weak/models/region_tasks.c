/* All members have joined and a task is left, which the master or the docked worker executes.  The
   region is over after the task.  A late helper does not use the team any more.
   code: team/fork.c team/hot.c team/join.c team/size.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c
   memory/free_list.c wait/parking.c team/gather.c team/relay.c team/barrier.c.  */
#include "made_team.h"
#include "region.h"
#include "simple_lock.h"
#include "task/task.h"
#include "team/team.h"
#include "team/worker.c"

unsigned weak_threads = 2;
static int result;

static void child(void *data)
{
  (void)data;
  result = 1;
}

static void body(void *data)
{
  (void)data;
  const struct task_request request = {.fn = child, .deferrable = true};
  ghcomp_task_create(ghcomp_self_pointer, &request);
}

void weak_setup(void)
{
  make_region(weak_threads);
  begin_region(thread[0], body, NULL);
  for (unsigned i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      struct task *task = weak_alloc(sizeof *task);
      task->free.next = thread[i]->tasks.free_headers.first;
      thread[i]->tasks.free_headers.first = &task->free;
      thread[i]->tasks.free_headers.count++;
    }
    ghcomp_deque_push(&team->members[i].deque, &team->members[i].implicit);
    ghcomp_deque_take(&team->members[i].deque, NULL, NULL);
  }
  be(1)->dock.team = team;
  body(NULL);
  team->joined = team->joined_when_all;
  be(0);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    help(self);
    return;
  }
  ghcomp_team_join(self);
  weak_assert(result == 1);
  team->members[0].thread = NULL; /* a data race with any thread that still uses the team */
}

void weak_end(void)
{
}
