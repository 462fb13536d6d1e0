/* A member takes back the second half of a `both`, which the other member may steal.  One of them
   executes it, and the group is over afterwards.
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
  stolen_kind = SECOND_ACTION;
  push_task(&context->worker[0], 1);
  weak_assert(pop_task(&context->worker[0]) == 1); /* the other member executes it */
}

void weak_thread(unsigned number)
{
  struct loop_worker *worker = &context->worker[number];
  if (number == 0) {
    until_over(worker);
    weak_assert(result == 1);
    return;
  }
  if (ghcomp_task_take_back(worker, push_kind(worker, SECOND_ACTION, 2)))
    result++;
  if (ghcomp_task_done(worker))
    ring();
}

void weak_end(void)
{
}
