/* The other member executes a task that creates one more task and waits for it, without looking for
   tasks itself.  The group's owner, who sleeps or is about to, must execute the new task.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_group.h"

static _Atomic int second_done;

static void execute(struct loop_worker *worker, int64_t task)
{
  (void)worker;
  weak_assert(task == 2);
  result = 1;
  store_release_at(0, &second_done, 1);
}

void weak_setup(void)
{
  context = make_loop_context(MEMBERS);
  push_task(&context->worker[0], 1);
  weak_assert(pop_task(&context->worker[0]) == 1); /* the other member executes it */
}

void weak_thread(unsigned number)
{
  struct loop_worker *worker = &context->worker[number];
  if (number == 0) {
    until_over(worker);
    weak_assert(result == 2);
    return;
  }
  push_task(worker, 2);
  weak_await(&second_done, sizeof second_done);
  result = 2;
  if (ghcomp_task_done(worker))
    ring();
}

void weak_end(void)
{
}
