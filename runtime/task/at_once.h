/* A task that its creator executes at once, with the creator's block as its own.  Only the creator
   sees its header, and the next such task uses the header as this one left it.  Spec: 5.2, 12.1.2
   (undeferred and included tasks).

     struct task *task = ghcomp_at_once_begin(self, parent, final);
     if (ghcomp_at_once_run(self, parent, task, fn, data))   // again and again
       ghcomp_at_once_end(self, task);

   Tasks of one parent may share a header, one after another, while the parent's taskgroup and ICVs
   do not change.

   A task of this kind costs little more than its body, so each instruction here shows in the cost
   of a task.  */
#ifndef GHCOMP_TASK_AT_ONCE_H
#define GHCOMP_TASK_AT_ONCE_H

#include "base/stats.h"
#include "state/task.h"
#include "task/task.h"

/* A clean header with the calling thread as its runner, if none is at hand.  */
struct task *ghcomp_task_fresh_header(struct thread *self);

/* The body has left children, ICVs or a payload behind.  */
void ghcomp_task_end_slowly(struct thread *self, struct task *task, struct task *parent);

/* Gives a child what it inherits from its parent.  `final`: TASK_FINAL or 0.  */
static inline void ghcomp_task_inherit(struct task *task, struct task *parent, unsigned final)
{
  /* Released for threads that walk along the parents: lineage.c.  */
  store_release(&task->depth, load_relaxed(&parent->depth) + 1);
  store_release(&task->parent, parent);
  task->group = parent->group;
  task->icv = parent->icv;
  task->team = parent->team;
  task->flags = (unsigned short)((parent->flags & TASK_INHERITED) | final);
}

static inline struct task *ghcomp_at_once_begin(struct thread *self, struct task *parent,
                                                unsigned final)
{
  struct task *task = self->tasks.headers_at_hand;
  if (likely(task != NULL))
    self->tasks.headers_at_hand = task->next;
  else
    task = ghcomp_task_fresh_header(self);
  ghcomp_task_inherit(task, parent, final);
  return task;
}

/* False: the header cannot be used again.  */
static inline bool ghcomp_at_once_run(struct thread *self, struct task *parent, struct task *task,
                                      void (*fn)(void *), void *data)
{
  struct member *member = self->member;
  ghcomp_count(&self->waiter.counters, STAT_TASKS_AT_ONCE);
  member->task = task;
  fn(data);
  member->task = parent;
  if (likely(task->left_behind == 0))
    return true;
  ghcomp_task_end_slowly(self, task, parent);
  return false;
}

static inline void ghcomp_at_once_end(struct thread *self, struct task *task)
{
  task->next = self->tasks.headers_at_hand;
  self->tasks.headers_at_hand = task;
}

/* The whole life of a task that is not cancelled (ghcomp_task_is_cancelled) and runs at once
   (ghcomp_task_runs_at_once).  */
static inline void ghcomp_at_once(struct thread *self, struct task *parent, void (*fn)(void *),
                                  void *data, unsigned final)
{
  struct task *task = ghcomp_at_once_begin(self, parent, final);
  if (ghcomp_at_once_run(self, parent, task, fn, data))
    ghcomp_at_once_end(self, task);
}

#endif
