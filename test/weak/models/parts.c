/* A task in parts yields in one member.  Another member, which waits for the task, continues it: it
   learns that the task is ready again, and sees what the first part did.
   code: task/made.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c
   memory/free_list.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/made.h"
#include "task/task_wait.h"
#include "tasks.h"

unsigned weak_threads = 2;
static struct task *task;
static int parts;

static void part(void *block)
{
  (void)block;
  if (parts++ == 0) {
    ghcomp_made_goes_on(ghcomp_self_pointer);
    ghcomp_task_yield(ghcomp_self_pointer);
  }
}

static void body(void *block)
{
  ghcomp_made_parts(ghcomp_self_pointer, part, block);
}

void weak_setup(void)
{
  make_members(2);
  make_headers();
  struct thread *self = be(0);
  void *block = ghcomp_made_block(self, 48, 0);
  const struct made_request request = {.fn = body, .deferrable = true, .in_parts = true};
  ghcomp_made_submit(self, block, &request);
  task = ghcomp_deque_take(&team->members[0].deque, NULL, NULL);
  weak_assert(task == ghcomp_made_of(block)->task);
  team->ready_hint = 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    ghcomp_task_run(self, task);
    return;
  }
  ghcomp_task_wait(self);
  weak_assert(parts == 2);
}

void weak_end(void)
{
}
