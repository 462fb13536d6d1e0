#include "task/made.h"

#include "base/memory.h"
#include "task/event.h"
#include "task/stack.h"
#include "task/steal.h"
#include "task/task_wait.h"

static struct made *get_payload(struct task *task, size_t size)
{
  size_t before = sizeof(struct made) + CACHELINE - 1;
  task->payload = ghcomp_memory_get(before + size);
  task->has_rare_fields = true;
  return (struct made *)(((uintptr_t)task->payload + before) & ~(uintptr_t)(CACHELINE - 1)) - 1;
}

static struct task *get_header(struct thread *self)
{
  struct task *task = self->tasks.headers_at_hand;
  if (task == NULL)
    return ghcomp_task_fresh_header(self);
  self->tasks.headers_at_hand = task->next;
  return task;
}

void *ghcomp_made_block(struct thread *self, size_t size, unsigned compiler_flags)
{
  struct task *task = get_header(self);
  struct made *made = size <= SMALL_BLOCK ? (struct made *)task->small_payload : get_payload(task, size);
  return ghcomp_made_begin(made, task, size, compiler_flags);
}

/* The body has run, and nobody but its creator has seen the task, or others have seen its children.  */
static void end(struct thread *self, struct task *task)
{
  if (likely(task->left_behind == 0))
    ghcomp_at_once_end(self, task);
  else
    ghcomp_task_end_slowly(self, task, self->member->task);
}

void ghcomp_made_discard(struct thread *self, void *block)
{
  end(self, ghcomp_made_task(block));
}

/* ------------------------------------------------------------------ undeferred */

void ghcomp_made_begin_undeferred(struct thread *self, void *block, const struct made_request *r)
{
  struct member *member = self->member;
  struct task *task = ghcomp_made_task(block);
  if (r->depend != NULL)
    ghcomp_task_wait_depend(self, r->depend);
  store_relaxed(&task->runner, self);
  ghcomp_task_inherit(task, member->task, r->final ? TASK_FINAL : 0);
  ghcomp_count(&self->waiter.counters, STAT_TASKS_AT_ONCE);
  task->fn = r->fn;
  member->task = task;
}

void ghcomp_made_end_undeferred(struct thread *self, void *block, bool detached)
{
  struct member *member = self->member;
  struct task *task = ghcomp_made_task(block);
  member->task = load_relaxed(&task->parent);
  if (detached && (task->fn != NULL || !ghcomp_task_withdraw_event(task))) {
    ghcomp_task_wait_event(self, task);
    ghcomp_task_forget_event(task);
  }
  end(self, task);
}

/* ----------------------------------------------------------------------- parts */

static bool has_open_group(const struct task *task)
{
  return task->group != NULL && task->group->opener == task;
}

bool ghcomp_made_parts(struct thread *self, void (*part)(void *), void *block)
{
  struct task *task = self->member->task;
  do {
    task->flags &= (unsigned short)~(TASK_GOES_ON | TASK_YIELDED);
    part(block);
    if ((task->flags & TASK_GOES_ON) == 0)
      return true;
  } while ((task->flags & TASK_YIELDED) == 0 || has_open_group(task));
  return false;
}

/* It was run at once, and has yielded: from here on it is a task like those that were deferred.  */
static void defer_rest(struct thread *self, struct task *task, const struct made_request *r)
{
  task->flags &= (unsigned short)~(TASK_GOES_ON | TASK_YIELDED);
  task->fn = r->fn;
  task->priority = 0;
  ghcomp_task_defer(self, task, NULL);
}

/* ------------------------------------------------------------------ submission */

static unsigned flags_of(const struct made_request *r)
{
  return (r->final ? TASK_FINAL : 0) | (r->detached ? TASK_DETACH : 0) |
         (r->always || r->in_parts ? TASK_ALWAYS_CALLED : 0) | (r->in_parts ? TASK_IN_PARTS : 0);
}

static void run_at_once(struct thread *self, struct task *task, const struct made_request *r)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  store_relaxed(&task->runner, self);
  ghcomp_task_adopt(self, task, flags_of(r));
  ghcomp_count(&self->waiter.counters, STAT_TASKS_AT_ONCE);
  member->task = task;
  r->fn(task->data);
  member->task = parent;
  if (unlikely((task->flags & TASK_GOES_ON) != 0))
    defer_rest(self, task, r);
  else
    end(self, task);
}

static void run_undeferred(struct thread *self, void *block, const struct made_request *r)
{
  ghcomp_made_begin_undeferred(self, block, r);
  r->fn(block);
  ghcomp_made_end_undeferred(self, block, r->detached);
}

static void defer(struct thread *self, struct task *task, const struct made_request *r, int priority)
{
  ghcomp_task_adopt(self, task, flags_of(r));
  task->fn = r->fn;
  task->priority = priority;
  ghcomp_task_defer(self, task, r->depend);
}

/* A task with dependences that runs at once is in no table, so it must be complete when its creator
   goes on; that in parts may not be.  */
static bool is_due(struct member *member, const struct made_request *r, int priority)
{
  bool depends = r->depend != NULL;
  return ghcomp_task_is_due(member, depends, priority) && !r->detached && !(depends && r->in_parts);
}

/* Its creator is cancelled.  Not so if somebody may have its event.  */
static void cancel(struct thread *self, void *block, const struct made_request *r)
{
  if (r->always) { /* fn sees it */
    struct made_request request = *r;
    request.depend = NULL;
    run_undeferred(self, block, &request);
  } else
    ghcomp_made_discard(self, block);
}

void ghcomp_made_submit(struct thread *self, void *block, const struct made_request *r)
{
  struct member *member = self->member;
  struct task *task = ghcomp_made_task(block);
  int priority = ghcomp_task_clamp_priority(r->priority);
  task->data = block;
  if (ghcomp_task_is_cancelled(member->task) && !r->detached)
    cancel(self, block, r);
  else if (ghcomp_task_is_never_deferred(self, r->deferrable))
    run_undeferred(self, block, r);
  else if (is_due(member, r, priority))
    run_at_once(self, task, r);
  else
    defer(self, task, r, priority);
}

void ghcomp_made_run(struct thread *self, void *block, const struct made_request *r)
{
  struct task *task = ghcomp_made_task(block);
  task->data = block;
  if (ghcomp_task_is_cancelled(self->member->task))
    cancel(self, block, r);
  else
    run_at_once(self, task, r);
}
