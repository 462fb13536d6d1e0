/* The deque of Haskell tasks: its owner pushes and pops, two thieves look and steal.  Each task is
   taken once, and the thread that takes it sees what the creator wrote into it.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_tasks.h"

enum { TASKS = 3 };
unsigned weak_threads = 3;
static int task[TASKS]; /* 1: created, 2: executed */

static void use(int64_t found)
{
  if (found >= 0)
    weak_assert(task[found]++ == 1);
}

static void create(unsigned i)
{
  task[i] = 1;
  push_task(&context->worker[0], i);
}

void weak_setup(void)
{
  context = make_loop_context(1);
  create(0);
}

void weak_thread(unsigned number)
{
  struct loop_worker *worker = &context->worker[0];
  if (number != 0) {
    use(steal_task(worker));
    return;
  }
  create(1);
  use(pop_task(worker));
  use(pop_task(worker));
  create(2);
  use(pop_task(worker));
}

void weak_end(void)
{
  for (int64_t left; (left = pop_task(&context->worker[0])) >= 0;)
    use(left);
  for (unsigned i = 0; i < TASKS; i++)
    weak_assert(task[i] == 2);
}
