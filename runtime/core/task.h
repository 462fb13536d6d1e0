/* Explicit and implicit tasks.  Spec: 5.2, chapter 12.  */
#ifndef GHCOMP_CORE_TASK_H
#define GHCOMP_CORE_TASK_H

#include "core/types.h"

/* What a task construct asks for.  */
struct task_request {
  void (*fn)(void *);
  void *data;                       /* the creator's argument block */
  void (*copy)(void *, void *);     /* copies it (C++, Fortran); NULL: plain bytes */
  long size, alignment;             /* of the block */
  bool deferrable;                  /* the if clause */
  bool final;
  int priority;
  void **depend;                    /* the compiler's array, or NULL */
  void **event;                     /* detach: where the handle goes, or NULL */
  void (*fill)(void *block, const void *argument); /* taskloop: sets the bounds in the copy */
  const void *argument;
};

void ghcomp_task_create(struct thread *self, const struct task_request *request);

/* The same for a task without dependences, event, priority and a copying function,
   if it is to be run at once: because it may not be deferred, or because the
   others have enough.  False: it has not been created.  */
bool ghcomp_task_run_at_once(struct thread *self, void (*fn)(void *), void *data, bool deferrable,
                             bool final);

/* True when the current task's children are cancelled before they start.  */
bool ghcomp_task_is_cancelled(const struct task *task);

/* taskwait: until the children of the current task are complete.  */
void ghcomp_task_wait(struct thread *self);

/* taskyield: perhaps one task that may run here.  */
void ghcomp_task_yield(struct thread *self);

/* Until the wait_count is at `base`, running descendants of the current task. */
void ghcomp_task_wait_count(struct thread *self, wait_count *count);

/* One ready task of the team, if there is one; for barriers and docked
   workers, where any task may run.  */
bool ghcomp_task_run_any(struct thread *self);

/* Before a sleep that a new task of the team is to end, and the sleep, if
   nothing is to be had: a thief that pauses (thief.h) is not woken by tasks, and
   looks again when its pause is over.  */
void ghcomp_task_prepare_sleep(struct thread *self, struct team *team);
void ghcomp_task_sleep_unless(struct thread *self, bool available);

/* A task whose predecessors are all complete becomes ready.  */
void ghcomp_task_make_ready(struct thread *self, struct task *task);

/* omp_fulfill_event.  Any thread may call it, one of no team too.  */
void ghcomp_task_fulfill(struct task *task);

void ghcomp_task_begin_implicit(struct thread *self, struct member *member);
void ghcomp_task_end_implicit(struct member *member);

/* Headers that the ending thread kept for reuse go back.  */
void ghcomp_task_drop_headers(struct thread *thread);

/* GOMP_taskwait_depend and its kin: until the tasks named by the array are
   complete.  */
void ghcomp_task_wait_depend(void **depend);

#endif
