/* The structure of a task: where a new task gets it, and where it goes when nobody needs it any more.  */
#ifndef GHCOMP_TASK_HEADER_H
#define GHCOMP_TASK_HEADER_H

#include "memory/free_list.h"
#include "state/task.h"
#include "state/thread.h"
#include "task/lineage.h"

/* Those that no thread keeps.  */
extern struct free_depot ghcomp_headers;

/* The task's block, where it is not in the header.  */
void ghcomp_header_drop_payload(struct task *task);

/* ICVs of the task's own, and what a detached task left for whoever knows its block.  */
void ghcomp_header_drop_rare(struct task *task);

/* Requires: the task is complete, and no header of its children is in use.  */
static inline void ghcomp_header_put(struct thread *self, struct task *task)
{
  if (unlikely(task->has_rare_fields || (task->flags & TASK_DETACH) != 0))
    ghcomp_header_drop_rare(task);
  if (unlikely(task->created != 0)) /* else nobody has changed it */
    store_relaxed(&task->from_children, 0);
  ghcomp_free_list_put(&self->tasks.free_headers, &ghcomp_headers, &task->free);
}

/* The same, for lineage.h.  */
void ghcomp_header_put_back(struct thread *self, struct task *task);

/* For a task without children.  */
static inline struct task *ghcomp_header_take(struct thread *self)
{
  struct task *task = ghcomp_free_list_take(&self->tasks.free_headers, &ghcomp_headers);
  task->left_behind = 0;
  return task;
}

#endif
