/* A member executes a second action that leaves a task, ends, and then executes something else that leaves another one.  The thread that
   waits for the second action may take the first of these tasks, and never the second one.
   code: cbits/Task.c.  */
#include "loop_context.h"
#include "haskell_tasks.h"

unsigned weak_threads = 2;
enum { DESCENDANT = 1, OTHER = 2 };
static _Atomic int outcome; /* as the MVar: the second action has ended */
static int executed[3];

static void leave(struct loop_worker *worker, int64_t task)
{
  if (ghcomp_task_take_back(worker, push_kind(worker, SECOND_ACTION, task)))
    executed[task]++;
}

/* As takeDescendant in GHC.OpenMP.Task.Group.  */
static int64_t take_descendant(struct loop_worker *of)
{
  int64_t position = ghcomp_task_look(of, SECOND_ACTION);
  if (position < 0)
    return -1;
  int64_t task = load_relaxed_at(0, at(of, SECOND_ACTION, position));
  if (load_acquire_at(0, &outcome) != 0)
    return -1;
  return ghcomp_task_steal(of, SECOND_ACTION, position) ? task : -1;
}

void weak_setup(void)
{
  context = make_loop_context(MEMBERS);
}

void weak_thread(unsigned number)
{
  struct loop_worker *thief = &context->worker[1];
  if (number == 1) {
    leave(thief, DESCENDANT);
    store_release_at(0, &outcome, 1);
    leave(thief, OTHER);
    return;
  }
  int64_t task = take_descendant(thief);
  weak_assert(task != OTHER);
  if (task == DESCENDANT)
    executed[DESCENDANT]++;
}

void weak_end(void)
{
  weak_assert(executed[DESCENDANT] == 1 && executed[OTHER] == 1);
}
