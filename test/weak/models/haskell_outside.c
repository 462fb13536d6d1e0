/* A thread that is no member of a task group creates a task, while the owner, which finds none, goes to sleep.  The owner sees the task, or is woken.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_tasks.h"

int ghcomp_task_tell(struct loop_worker *worker);

unsigned weak_threads = 2;
static _Atomic int tasks; /* of GHC.OpenMP.Task.Outside */
static bool found;

void weak_setup(void)
{
  context = make_loop_context(MEMBERS);
  push_task(&context->worker[0], 1); /* of this task the other thread is part: the group is not over */
  pop_task(&context->worker[0]);
}

void weak_thread(unsigned number)
{
  struct loop_worker *owner = &context->worker[0];
  if (number == 1) {
    add_acq_rel_at(0, &tasks, 1);
    if ((ghcomp_task_tell(owner) & 1) != 0)
      ring();
    return;
  }
  while (!found) {
    bool idle = ghcomp_task_will_sleep(owner);
    found = add_acq_rel_at(0, &tasks, 0) != 0;
    if (idle && !found)
      await_ring();
    ghcomp_task_awake(owner);
  }
}

void weak_end(void)
{
  weak_assert(found);
}
