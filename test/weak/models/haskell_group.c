/* A group of Haskell tasks.  Its owner creates one, which the owner or the other member executes.
   The group is over when the task is done.  The owner, who may sleep meanwhile, sees what it did.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_group.h"

static void execute(struct loop_worker *worker, int64_t task)
{
  (void)worker, (void)task;
  result++;
}

void weak_setup(void)
{
  context = make_loop_context(MEMBERS);
}

void weak_thread(unsigned number)
{
  struct loop_worker *worker = &context->worker[number];
  if (number == 0) {
    push_task(worker, 1);
    until_over(worker);
    weak_assert(result == 1);
  } else
    help_out(worker);
}

void weak_end(void)
{
}
