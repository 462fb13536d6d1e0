/* Waiting inside a task: for children, a taskgroup, an event.  The waiting thread runs
   descendants of the current task, which is what the task scheduling constraint (5.2,
   12.9) lets it run.  */
#ifndef GHCOMP_TASK_TASK_WAIT_H
#define GHCOMP_TASK_TASK_WAIT_H

#include "state/thread.h"

/* taskwait: until the children of the current task are complete.  */
void ghcomp_task_wait(struct thread *self);

/* GOMP_taskwait_depend and its kin: until the tasks named by the compiler's array are
   complete.  */
void ghcomp_task_wait_depend(struct thread *self, void **depend);

/* Until only 1 is left of the count.  */
void ghcomp_task_wait_count(struct thread *self, wait_count *count);

/* Tasks with dependences or events are deferred whatever the others have.  Their creator
   may have this many children that are not complete before it executes some, or waits for
   some.  */
enum { MOST_OUTSTANDING = 1024, MOST_OUTSTANDING_EACH = 64 };
bool ghcomp_task_has_many(const struct thread *self);

/* Until the current task has fewer, or a body has run and its task waits for an event:
   perhaps the creator is to fulfill it.  */
void ghcomp_task_wait_for_fewer(struct thread *self);

/* A body of the team has run, and its task is complete when its event is fulfilled.  */
void ghcomp_task_await_event(struct team *team);

/* Until the event of an undeferred task is fulfilled.  */
void ghcomp_task_wait_event(struct thread *self, struct task *task);

/* taskyield: perhaps one task that may run here.  */
void ghcomp_task_yield(struct thread *self);

/* For barriers and docked workers, where any task may run: one ready task of the team,
   if there is one.  */
bool ghcomp_task_run_any(struct thread *self);

/* One that is a descendant of the current task.  */
bool ghcomp_task_run_descendant(struct thread *self);

/* Before a sleep that a new task of the team is to end, and the sleep, if
   nothing is to be had: a thief that pauses (steal.h) is not woken by tasks, and
   looks again when its pause is over.  */
void ghcomp_task_prepare_sleep(struct thread *self, struct crew *crew);
void ghcomp_task_sleep_unless(struct thread *self, bool available);

#endif
