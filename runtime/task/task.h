/* Explicit and implicit tasks.  Spec: 5.2, chapter 12.  */
#ifndef GHCOMP_TASK_TASK_H
#define GHCOMP_TASK_TASK_H

#include "state/task.h"
#include "task/stack.h"
#include "task/steal.h"

/* What a task construct requests.  */
struct task_request {
  void (*fn)(void *);
  void *data;                       /* the creator's argument block */
  void (*copy)(void *, void *);     /* copies the block (C++, Fortran); NULL: plain bytes */
  long size, alignment;             /* of the block */
  bool deferrable;                  /* the if clause */
  bool final;
  int priority;
  void **depend;                    /* the compiler's array, or NULL */
  void **event;                     /* detach: where to write the handle, or NULL */
  void (*fill)(void *block, const void *argument); /* taskloop: sets the bounds in the copy */
  const void *argument;
};

void ghcomp_task_create(struct thread *self, const struct task_request *request);

/* True: a child of the current task must run before its creator goes on.  */
static inline bool ghcomp_task_is_never_deferred(const struct thread *self, bool deferrable)
{
  return !deferrable || (self->member->task->flags & TASK_FINAL) != 0;
}

/* True: a task without dependences and event is executed at once, because it may not be deferred,
   or because the others have enough and there is stack for it.  */
static inline bool ghcomp_task_runs_at_once(const struct thread *self, bool deferrable)
{
  const struct member *member = self->member;
  return (ghcomp_reserve_is_full(member) && !ghcomp_stack_is_deep(member)) ||
         ghcomp_task_is_never_deferred(self, deferrable);
}

static inline bool ghcomp_group_is_cancelled(const struct taskgroup *group)
{
  if (unlikely(load_relaxed(&group->cancelled)))
    return true;
  return group->workshare && group->outer != NULL && load_relaxed(&group->outer->cancelled);
}

/* True: children of the task are cancelled before they start.  */
static inline bool ghcomp_task_is_cancelled(const struct task *task)
{
  return unlikely(load_relaxed(&task->team->cancelled)) ||
         (task->group != NULL && ghcomp_group_is_cancelled(task->group));
}

/* ------------------------------------------------- creation in steps: made.c */

/* Is a task that may be deferred to be run at once?  `depends`: it has depend clauses.  */
bool ghcomp_task_is_due(struct member *member, bool depends, int priority);

/* To what max-task-priority-var allows: priority.c.  */
int ghcomp_task_clamp_priority(int priority);

/* The task becomes a child of the current one, and will be deferred.  */
void ghcomp_task_adopt(struct thread *self, struct task *task, unsigned flags);

/* A child that has all it needs is deferred.  `depend`: the compiler's array, or NULL.  */
void ghcomp_task_defer(struct thread *self, struct task *task, void **depend);

/* ------------------------------------------------- ranges of a taskloop: ranges.c */

/* The adopted task is ready, and no taskgroup counts it.  */
void ghcomp_task_put_range(struct thread *self, struct task *task);

/* The calling thread has taken such a task out of its deque, while it executes the same parent, and does not need it any more.  */
void ghcomp_task_withdraw(struct thread *self, struct task *task);

/* `size` bytes in the task's header behind the first `used` ones of its payload, or allocated until the body's end.  */
char *ghcomp_task_find_room(struct task *task, size_t used, size_t size, size_t alignment);

/* -------------------------------------------------------------------------- */

/* Executes a deferred task that this thread has found.  */
void ghcomp_task_run(struct thread *self, struct task *task);

/* Fulfills the event of an undeferred task, whose creator waits for it.  */
void ghcomp_task_fulfill_undeferred(struct task *task);

/* Fulfills the event of a deferred task, which the caller has taken.  True: its body has run, so this completes the task, and
   the caller calls ghcomp_task_complete_outside.  See team/event.c.  */
bool ghcomp_task_fulfill(struct task *task);
void ghcomp_task_complete_outside(struct thread *self, struct task *task);

/* The implicit task has left ICVs or a table behind.  */
void ghcomp_task_drop_implicit(struct member *member);

static inline void ghcomp_task_end_implicit(struct member *member)
{
  if (unlikely(member->implicit.has_rare_fields))
    ghcomp_task_drop_implicit(member);
}

static inline void ghcomp_task_begin_implicit(struct thread *self, struct member *member)
{
  struct task *task = &member->implicit;
  ghcomp_task_end_implicit(member);
  store_relaxed(&task->from_children, 0);
  task->created = 0;
  store_relaxed(&task->runner, self);
  task->group = member->team->group;
  task->icv = member->team->icv;
  task->team = member->team;
  task->flags = TASK_IMPLICIT;
  member->task = task;
}

/* Gives back the headers that the ending thread kept for reuse.  */
void ghcomp_task_drop_headers(struct thread *thread);

#endif
