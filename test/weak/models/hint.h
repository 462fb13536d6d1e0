/* A member creates a task and does not look for tasks itself; it continues when the task is done.
   Another member waits, and must execute the task.  That member may just have found no task, or be
   about to sleep.  The models differ in how it waits.  */
#ifndef WEAK_HINT_H
#define WEAK_HINT_H

#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"
#include "team/team.h"

unsigned weak_threads = 2;
static _Atomic int done;
static int result;
static void (*also_done)(void);

static void body(void *data)
{
  (void)data;
  result = 1;
  if (also_done != NULL)
    also_done();
  store_release_at(0, &done, 1);
}

/* `hint`: 1 if a task that is gone has left `ready_hint` set.  */
static void make_team(unsigned hint)
{
  make_members(2);
  make_headers();
  team->ready_hint = hint;
  team->any_deferred = true;
}

static void make_task(struct thread *self, int priority)
{
  const struct task_request request = {.fn = body, .deferrable = true, .priority = priority};
  ghcomp_task_create(self, &request);
  weak_await(&done, sizeof done);
  weak_assert(result == 1);
}

/* Waits as barrier.c does, until the task is done.  */
static __attribute__((unused)) void wait_for_any_task(struct thread *self)
{
  while (load_acquire_at(0, &done) == 0) {
    if (load_relaxed_at(0, &team->ready_hint) != 0 && ghcomp_task_run_any(self))
      continue;
    ghcomp_task_prepare_sleep(self, &team->crew);
    if (load_acquire_at(0, &done) == 0)
      ghcomp_task_sleep_unless(self, load_seq_cst_at(0, &team->ready_hint) != 0);
    ghcomp_parking_finish(&self->waiter, &team->crew);
  }
}

#endif
