/* A guest, which has no deque, executes the owner's task, while the owner finds none and goes to sleep.  The owner sees what the task
   did.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_group.h"

HsBool ghcomp_task_done_by_guest(struct loop_worker *worker);

static void execute(struct loop_worker *worker, int64_t task)
{
  (void)worker;
  weak_assert(task == 1);
  result = 1;
}

void weak_setup(void)
{
  context = make_loop_context(MEMBERS);
  push_task(&context->worker[0], 1);
}

void weak_thread(unsigned number)
{
  struct loop_worker *owner = &context->worker[0];
  if (number == 0) {
    until_over(owner);
    weak_assert(result == 1);
    return;
  }
  int64_t position = ghcomp_task_look(owner, SPAWNED_TASK);
  if (position < 0 || !ghcomp_task_steal(owner, SPAWNED_TASK, position))
    return;
  result = 1;
  if (ghcomp_task_done_by_guest(owner))
    ring();
}

void weak_end(void)
{
}
