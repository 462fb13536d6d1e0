/* Whose child a task is, when its parent has ended.

   A complete task's header stays while a child's stays, because waiting threads ask
   whether a ready task descends from theirs, along the parents (`is_descendant`).  Where
   each task creates its successor and ends, that would keep the header of every task that
   ever was.  So a task that ends with children alive leaves out the ancestors of whom it
   is all that is left: their parent becomes its parent.  The nearest ancestor that is
   alive is the same as before.

   Invariants.
   A task that is not complete is moved by its own thread only, one that is complete only
   under lineage_lock, and only by a thread whose own task descends from it.
   An ancestor that is left out is complete and has one child whose header is in use, and
   that child has told it that it is complete, or does so no more; in its place the child
   stands for one header with the ancestor's parent, so no count changes.
   A header that was left out is not used again before `adoptions` was raised; so whoever
   sees the same number before and after a walk along the parents saw none that was gone.
   Depth falls from a task to its parent, always.  */
#ifndef GHCOMP_TASK_LINEAGE_H
#define GHCOMP_TASK_LINEAGE_H

#include "state/task.h"
#include "state/thread.h"

/* The task is about to be complete and leaves children; headers of ancestors that
   nobody needs any more go to `put`.
   Cost: one transfer, and one for each ancestor that goes.  */
void ghcomp_lineage_shorten(struct thread *self, struct task *task,
                            void (*put)(struct thread *, struct task *));

/* Far down a chain of tasks: makes the running task's depth smaller, if it can.  */
void ghcomp_lineage_raise(struct thread *self, struct task *task,
                          void (*put)(struct thread *, struct task *));

/* May be called with a task that is no longer what it was: then the answer does not
   matter, but the walk ends, because depth falls at every step.  */
bool ghcomp_lineage_descends(struct task *task, struct task *ancestor);

/* ---------------------------------------------------------------------- ICVs */

/* The ICVs of the current task, and how omp_set_* changes them.

   A task points to its ICVs and a child starts with its parent's pointer, so
   inheriting costs nothing.  A change must not be seen by children that exist
   already: it goes into a struct of the task's own, and into a fresh one if
   children may point to the last.  */

struct owned_icv {
  struct icv icv;
  struct icv *before;      /* what the task had until then */
  struct owned_icv *next;  /* older */
};

/* The struct that the current task may write.  */
struct icv *ghcomp_icv_scope_own(struct thread *self);

/* A new task gets its own copy of what it inherits.  */
void ghcomp_icv_scope_copy(struct task *child);

/* Of the structs of a task that is gone, the one that its last child began with becomes the
   child's: the child's own children may have it.  Nobody has the others.  */
void ghcomp_icv_scope_hand_down(struct task *gone, struct task *child);

/* Frees the task's structs; no child is left.  */
void ghcomp_icv_scope_drop(struct task *task);

#endif
