/* The owner of a deque of Haskell tasks overwrites a position only after its task was taken.  The
   elements are plain memory here, so an overwrite that is too early is a data race.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_tasks.h"

unsigned weak_threads = 2;
static int64_t plain_element;

static bool create(int64_t task)
{
  struct loop_worker *owner = &context->worker[0];
  int64_t position = ghcomp_task_room(owner, SPAWNED_TASK, 1);
  if (position < 0)
    return false;
  plain_element = task;
  ghcomp_task_push(owner, SPAWNED_TASK);
  return true;
}

void weak_setup(void)
{
  context = make_loop_context(1);
  create(1);
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    create(2);
    return;
  }
  for (int64_t task = 1; task <= 2; task++) {
    int64_t position = ghcomp_task_look(&context->worker[0], SPAWNED_TASK);
    if (position < 0)
      return;
    weak_assert(plain_element == task);
    ghcomp_task_steal(&context->worker[0], SPAWNED_TASK, position);
  }
}

void weak_end(void)
{
}
