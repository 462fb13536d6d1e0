/* The ready tasks of a team: where they are put and where they are found.  Spec: 5.2,
   12.9.

   A ready task is in the deque of the member that made it ready or, with a priority,
   in a queue of the team's (priority.h).  `hint` of the team says to those that spin
   whether it is worth a look; those that sleep are woken.

   A thread that waits in a task may execute that task's descendants only (5.2, 12.9), and
   a deque has two ends.  So nobody puts a task where it hides others:

   Invariant: the tasks in a deque were put there, oldest first, by its owner's tasks, the
   outermost first; each task below another one in the owner's deque descends from a
   task that the other's creator interrupted, or from an older one.  Hence a waiting
   owner finds its youngest own descendant at the bottom.  A task that becomes ready by
   somebody else's act (an event) goes to the queues.  At the top of a deque of another
   thread, which may be busy for long, others may hide a descendant: who finds nothing
   elsewhere uncovers it before it sleeps.  */
#ifndef GHCOMP_TASK_READY_H
#define GHCOMP_TASK_READY_H

#include "task/types.h"

/* A task becomes ready because the calling thread, of its team, has created it or has
   executed its last predecessor.  */
void ghcomp_ready_put(struct thread *self, struct task *task);

/* The same for a task that has nothing to do with what the calling thread executes, which
   may be of another team.  */
void ghcomp_ready_put_aside(struct thread *self, struct task *task);

struct found {
  struct task *task; /* or NULL */
  bool stolen;
};

/* Takes a task that may run here: any (ancestor NULL), or a descendant of it.  */
struct found ghcomp_ready_find(struct thread *self, struct task *ancestor);

/* Before a sleep: a descendant of the current task that ghcomp_ready_find did not see
   behind others.  Cost: all ready tasks of the team are looked at.  */
struct found ghcomp_ready_uncover(struct thread *self);

/* Any was looked for and none found: whoever spins need not look.  */
void ghcomp_ready_note_none(struct thread *self);

#endif
