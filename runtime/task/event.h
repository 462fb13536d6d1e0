/* The event of a detached task: the address of the task's header, with the event's number in the bits above it.

   A header counts the tasks that were discarded: cancelled before their bodies began.  Such a task does not wait for its event, since
   perhaps only its body would have fulfilled it; its header is free at once, and may be another task's.  But somebody may still
   have the event, and may fulfill it at any time.  Its number is an old one then, and nothing happens.  Numbers come again after
   65536 discarded tasks of one header.

   Whether the thread that discards the task is first, or the one that fulfills the event, is decided by one word (`detach`).  If it is the
   latter, the task is not discarded, and the region does not end before the event is fulfilled.  Model: event_discarded.c.  */
#ifndef GHCOMP_TASK_EVENT_H
#define GHCOMP_TASK_EVENT_H

#include "base/atomics.h"
#include "state/task.h"

enum { EVENT_NUMBER_AT = 48 }; /* a process has no addresses above */

static inline void *ghcomp_task_event(struct task *task)
{
  uint64_t number = load_relaxed(&task->detach) / DETACH_NUMBER;
  return (void *)((uintptr_t)task | number << EVENT_NUMBER_AT);
}

/* NULL: the task was discarded.  Else the caller fulfills its event.  Headers are never unmapped.  */
static inline struct task *ghcomp_task_take_event(void *event)
{
  struct task *task = (struct task *)((uintptr_t)event & (((uintptr_t)1 << EVENT_NUMBER_AT) - 1));
  uint32_t detach = load_relaxed(&task->detach);
  do
    if (detach / DETACH_NUMBER != (uintptr_t)event >> EVENT_NUMBER_AT)
      return NULL;
  while (!cas_relaxed(&task->detach, &detach, detach | DETACH_TAKEN));
  return task;
}

/* The body of a detached task will not run.  False: somebody has taken the event.  */
static inline bool ghcomp_task_withdraw_event(struct task *task)
{
  uint32_t detach = load_relaxed(&task->detach);
  return (detach & DETACH_FLAGS) == 0 && cas_relaxed(&task->detach, &detach, detach + DETACH_NUMBER);
}

/* The event is fulfilled, or nobody can have it.  */
static inline void ghcomp_task_forget_event(struct task *task)
{
  store_relaxed(&task->detach, load_relaxed(&task->detach) & ~(uint32_t)DETACH_FLAGS);
}

#endif
