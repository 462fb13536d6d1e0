/* Nothing waits in a task group, and the watching thread settles it, while a member pushes a task.  Either the member has the group
   watched again, or the watching thread sees the task.
   code: cbits/Task.c cbits/LoopWatch.c.  */
#include "loop_context.h"
#include "haskell_tasks.h"

HsBool ghcomp_watch_settle_group(struct loop_context *, int64_t, StgPtr, const int64_t *);
HsBool ghcomp_task_waits(struct loop_worker *, HsBool);

unsigned weak_threads = 2;
static bool settled, again;
static const int64_t seat;

/* The owner is blocked all the time.  */
bool ghcomp_loop_holds_still(const void *thread)
{
  (void)thread;
  return true;
}

uint64_t rts_getThreadId(StgPtr thread)
{
  (void)thread;
  return (uint64_t)seat;
}

void weak_setup(void)
{
  context = make_loop_context(MEMBERS);
}

void weak_thread(unsigned number)
{
  if (number == 0)
    settled = ghcomp_watch_settle_group(context, 0, NULL, &seat) && !ghcomp_task_waits(&context->worker[0], true);
  else
    again = (ghcomp_task_push(&context->worker[1], SPAWNED_TASK) & 2) != 0;
}

void weak_end(void)
{
  weak_assert(!settled || again);
}
