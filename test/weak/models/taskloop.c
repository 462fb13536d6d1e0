/* A member leaves half of a taskloop to another, takes it back or waits for it.  Each task is executed once, with a copy of the
   creator's data and with bounds of its own.  The creator sees what the tasks did, and may change its data afterwards.
   code: task/taskloop.c task/ranges.c task/taskgroup.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c
   task/lineage.c task/priority.c memory/free_list.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "tasks.h"
#include "task/task_wait.h"
#include "task/taskgroup.h"
#include "team/team.h"

enum { TASKS = 3, DATA = 7 };
unsigned weak_threads = 2;
static struct block {
  uint64_t first, end;
  int data;
} block;
static int executed[TASKS];

static void body(void *data)
{
  const struct block *mine = data;
  weak_assert(mine->data == DATA && mine->end == mine->first + 1);
  executed[mine->first]++;
}

void weak_setup(void)
{
  make_members(weak_threads);
  make_headers();
  for (unsigned i = 0; i < weak_threads; i++)
    ghcomp_reserve_begin(&team->members[i], weak_threads);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number != 0) {
    ghcomp_task_run_any(self);
    return;
  }
  block.data = DATA;
  struct taskloop_request request = {.task = {.fn = body, .data = &block, .size = sizeof block, .alignment = 8, .deferrable = true},
                                     .count = TASKS, .step = 1, .tasks = 1, .grainsize = true};
  ghcomp_taskloop_run(self, &request);
  block.data = 0;
  for (int i = 0; i < TASKS; i++)
    weak_assert(executed[i] == 1);
}

void weak_end(void)
{
}
