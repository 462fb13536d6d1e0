/* The ready tasks of a team: where they are put and where they are found.  Spec: 5.2,
   12.9.

   A ready task is in the deque of the member that made it ready or, with a priority,
   in the team's list.  `hint` of the team says to those that spin whether it is worth
   a look; those that sleep are woken.  */
#ifndef GHCOMP_CORE_READY_H
#define GHCOMP_CORE_READY_H

#include "core/types.h"

/* A task whose predecessors are all complete becomes ready.  */
void ghcomp_ready_put(struct thread *self, struct task *task);

struct found {
  struct task *task; /* or NULL */
  bool stolen;
};

/* Takes a task that may run here: any (ancestor NULL), or a descendant of it.  */
struct found ghcomp_ready_find(struct thread *self, struct task *ancestor);

/* Any was looked for and none found: whoever spins need not look.  */
void ghcomp_ready_note_none(struct thread *self);

#endif
