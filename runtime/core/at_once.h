/* A task that its creator runs at once, with the creator's block for its own: nobody but
   the creator sees its header, and the next such task finds the header at hand as this one
   left it.  Spec: 5.2, 12.1.2 (undeferred and included tasks).

     struct task *task = ghcomp_at_once_begin(self, parent, final);
     if (ghcomp_at_once_run(self, member, task, fn, data))   // again and again
       ghcomp_at_once_end(self, task);

   Tasks of one parent may share a header, one after another, while the parent's taskgroup
   and ICVs stay what they were.  */
#ifndef GHCOMP_CORE_AT_ONCE_H
#define GHCOMP_CORE_AT_ONCE_H

#include "core/stats.h"
#include "core/task.h"
#include "core/types.h"

/* A header that holds nothing to set back; for the first task, or after one that left
   something in its own.  */
struct task *ghcomp_task_fresh_header(struct thread *self);
void ghcomp_task_spare_header(struct thread *self, struct task *task);

/* The body left children, ICVs or a payload behind.  */
void ghcomp_task_end_slowly(struct thread *self, struct task *task, struct task *parent);

/* What a child has of its parent.  */
static inline void ghcomp_task_inherit(struct task *task, struct task *parent, bool final)
{
  /* Released for those that look along the parents: lineage.c.  */
  store_release(&task->depth, load_relaxed(&parent->depth) + 1);
  store_release(&task->parent, parent);
  task->group = parent->group;
  task->icv = parent->icv;
  task->team = parent->team;
  task->flags = (unsigned char)((parent->flags & TASK_HANDED_ON) | (final ? TASK_FINAL : 0));
}

static inline struct task *ghcomp_at_once_begin(struct thread *self, struct task *parent,
                                                bool final)
{
  struct task *task = self->at_hand;
  if (likely(task != NULL))
    self->at_hand = NULL;
  else
    task = ghcomp_task_fresh_header(self);
  ghcomp_task_inherit(task, parent, final);
  store_relaxed(&task->runner, self);
  return task;
}

/* False: it was the header's last task.  */
static inline bool ghcomp_at_once_run(struct thread *self, struct member *member,
                                      struct task *task, void (*fn)(void *), void *data)
{
  struct task *parent = member->task;
  ghcomp_count(self, STAT_TASKS_AT_ONCE);
  member->task = task;
  fn(data);
  member->task = parent;
  if (likely(task->created == 0 && !task->has_more))
    return true;
  ghcomp_task_end_slowly(self, task, parent);
  return false;
}

static inline void ghcomp_at_once_end(struct thread *self, struct task *task)
{
  if (likely(self->at_hand == NULL))
    self->at_hand = task;
  else
    ghcomp_task_spare_header(self, task);
}

/* The same as ghcomp_task_create for a task that runs at once (ghcomp_task_runs_at_once).  */
static inline void ghcomp_at_once(struct thread *self, void (*fn)(void *), void *data, bool final)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  if (ghcomp_task_is_cancelled(parent))
    return;
  struct task *task = ghcomp_at_once_begin(self, parent, final);
  if (ghcomp_at_once_run(self, member, task, fn, data))
    ghcomp_at_once_end(self, task);
}

#endif
