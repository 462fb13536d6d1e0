/* Headers of tasks: taken from a list of the thread's, put back into the list of the
   thread that ends the task.  They are never unmapped, because thieves look at a task
   before they own it.

   A header in a list has no ICVs of its own, payload, node or children, and its
   `detach` is 0: whoever set one of them has undone it.  */
#ifndef GHCOMP_CORE_TASK_HEADER_H
#define GHCOMP_CORE_TASK_HEADER_H

#include "core/types.h"

enum { MOST_TASK_HEADERS = 256 }; /* per thread */

/* Fills an empty list.  */
void ghcomp_task_header_refill(struct thread *self);

/* All but `kept` of them go to the other threads.  */
void ghcomp_task_headers_keep(struct thread *self, unsigned kept);

static inline struct task *ghcomp_task_header_take(struct thread *self)
{
  if (unlikely(self->free_tasks == NULL))
    ghcomp_task_header_refill(self);
  struct task *task = self->free_tasks;
  self->free_tasks = task->next;
  self->free_task_count--;
  return task;
}

static inline void ghcomp_task_header_put(struct thread *self, struct task *task)
{
  task->next = self->free_tasks;
  self->free_tasks = task;
  if (unlikely(++self->free_task_count > MOST_TASK_HEADERS))
    ghcomp_task_headers_keep(self, MOST_TASK_HEADERS / 2);
}

#endif
