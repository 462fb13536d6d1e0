/* A thread is to execute a task inside of a group, and comes late: the group has ended, and its context executes the next loop.  It
   knows which of the two it has entered.
   code: cbits/Loop.c cbits/LoopWatch.c cbits/Task.c.  */
#include "loop_context.h"

int64_t ghcomp_task_group_number(const struct loop_worker *worker);
int ghcomp_task_enter_group(struct loop_worker *worker, int64_t number);
void ghcomp_loop_admit(struct loop_context *);
uint32_t ghcomp_loop_close(struct loop_context *);
HsBool ghcomp_loop_leave(struct loop_worker *);

unsigned weak_threads = 2;
static struct loop_context *context;
static int64_t group;
static int job;

unsigned ghcomp_loop_call_helpers(struct loop_context *of, unsigned wanted)
{
  (void)of, (void)wanted;
  return 0;
}

void ghcomp_loop_begin_part(struct loop_worker *worker)
{
  (void)worker;
}

void weak_setup(void)
{
  context = make_loop_context(1);
  context->handing_out = NO_CHUNKS;
  context->chunks = 1;
  job = 1;
  ghcomp_loop_admit(context);
  group = ghcomp_task_group_number(&context->worker[0]);
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    if (ghcomp_loop_close(context) != 0)
      return; /* it waits for the other thread */
    ghcomp_loop_end_watch(context);
    job = 2;
    ghcomp_loop_admit(context);
    return;
  }
  int entered = ghcomp_task_enter_group(&context->worker[0], group);
  if (entered == 0)
    return;
  weak_assert(job == entered);
  ghcomp_loop_leave(&context->worker[0]);
}

void weak_end(void)
{
}
