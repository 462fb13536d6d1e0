/* Waiting inside a task: for children, a taskgroup, an event.  The waiting thread executes
   descendants of the current task; the task scheduling constraint (5.2, 12.9) allows no others.  */
#ifndef GHCOMP_TASK_TASK_WAIT_H
#define GHCOMP_TASK_TASK_WAIT_H

#include "state/thread.h"

/* taskwait: until the children of the current task are complete.  */
void ghcomp_task_wait(struct thread *self);

/* GOMP_taskwait_depend and similar calls: until the tasks that the compiler's array names are
   complete.  */
void ghcomp_task_wait_depend(struct thread *self, void **depend);

/* Waits until only 1 is left of the count.  */
void ghcomp_task_wait_count(struct thread *self, wait_count *count);

/* Tasks with dependences or events are deferred even if the others have enough.  Their creator may
   have this many children that are not complete before it executes some, or waits for some.  */
enum { MOST_OUTSTANDING = 1024, MOST_OUTSTANDING_EACH = 64 };
bool ghcomp_task_has_many(const struct thread *self);

/* Waits until the current task has fewer, or until a task's body has run and the task waits for its
   event, which the creator may have to fulfill.  */
void ghcomp_task_wait_for_fewer(struct thread *self);

/* A task's body has run, and the task waits for its event.  */
void ghcomp_task_await_event(struct team *team);

/* Waits until the event of an undeferred task is fulfilled.  */
void ghcomp_task_wait_event(struct thread *self, struct task *task);

/* taskyield: executes one task that may run here, if there is one.  */
void ghcomp_task_yield(struct thread *self);

/* Executes one ready task of the team, if there is one.  For barriers and docked workers, where any
   task may run.  */
bool ghcomp_task_run_any(struct thread *self);

/* The same, while `*phase` is `now`: inside of a barrier.  What was created after the barrier has ended is not executed inside of it,
   because the task may wait for what this thread does after the barrier.  */
bool ghcomp_task_run_any_while(struct thread *self, const _Atomic uint32_t *phase, uint32_t now);

/* Executes one ready descendant of the current task, if there is one.  */
bool ghcomp_task_run_descendant(struct thread *self);

/* Announce a sleep that a new task of the team ends; and sleep, unless a task is available.  A
   thief that pauses (steal.h) is not woken by tasks, and looks again when its pause is over.  */
void ghcomp_task_prepare_sleep(struct thread *self, struct crew *crew);
void ghcomp_task_sleep_unless(struct thread *self, bool available);

#endif
