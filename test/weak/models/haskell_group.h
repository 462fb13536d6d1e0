/* The two kinds of members of a task group, as in GHC.OpenMP.Task: the owner sleeps if it finds no
   task, a helper leaves.  */
#ifndef WEAK_HASKELL_GROUP_H
#define WEAK_HASKELL_GROUP_H

#include "haskell_tasks.h"

unsigned weak_threads = MEMBERS;
static int result;
static int stolen_kind = SPAWNED_TASK; /* what a model's members steal */

static void execute(struct loop_worker *worker, int64_t task);

static void run_task(struct loop_worker *worker, int64_t task)
{
  execute(worker, task);
  if (ghcomp_task_done(worker))
    ring();
}

/* False: there is no task.  */
static bool run_one(struct loop_worker *worker)
{
  int64_t task = pop_task(worker);
  if (task < 0)
    task = steal_kind(&context->worker[1 - worker->number], stolen_kind);
  if (task >= 0)
    run_task(worker, task);
  return task >= 0;
}

static void until_over(struct loop_worker *worker)
{
  for (;;) {
    if (run_one(worker))
      continue;
    if (ghcomp_task_is_over(worker))
      return;
    if (ghcomp_task_will_sleep(worker))
      await_ring();
    ghcomp_task_awake(worker);
  }
}

static __attribute__((unused)) void help_out(struct loop_worker *worker)
{
  while (run_one(worker))
    ;
}

#endif
