/* The ICVs of the current task, and how omp_set_* changes them.

   A task points to its ICVs and a child starts with its parent's pointer, so
   inheriting costs nothing.  A change must not be seen by children that exist
   already: it goes into a struct of the task's own, and into a fresh one if
   children may point to the last.  */
#ifndef GHCOMP_CORE_ICV_SCOPE_H
#define GHCOMP_CORE_ICV_SCOPE_H

#include "core/types.h"

struct owned_icv {
  struct icv icv;
  struct owned_icv *next;
};

static inline const struct icv *ghcomp_icv(void)
{
  return ghcomp_self()->member->task->icv;
}

/* The struct that the current task may write.  */
struct icv *ghcomp_icv_scope_own(struct thread *self);

/* Frees the task's structs; no child is left.  */
void ghcomp_icv_scope_drop(struct task *task);

#endif
