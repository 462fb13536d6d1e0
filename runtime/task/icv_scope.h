/* The ICVs of the current task, and how omp_set_* changes them.

   A task points to its ICVs and a child starts with its parent's pointer, so
   inheriting costs nothing.  A change must not be seen by children that exist
   already: it goes into a struct of the task's own, and into a fresh one if
   children may point to the last.  */
#ifndef GHCOMP_TASK_ICV_SCOPE_H
#define GHCOMP_TASK_ICV_SCOPE_H

#include "team/types.h"

struct owned_icv {
  struct icv icv;
  struct icv *before;      /* what the task had until then */
  struct owned_icv *next;  /* older */
};

static inline const struct icv *ghcomp_icv(void)
{
  return ghcomp_self()->member->task->icv;
}

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
