/* Copy-on-write of a task's ICVs.  */
#include "core/icv_scope.h"

#include "core/memory.h"

struct icv *ghcomp_icv_scope_own(struct thread *self)
{
  struct task *task = self->member->task;
  struct owned_icv *own = task->owned_icvs;
  bool childless = (load_acquire(&task->told) >> 32) == task->created; /* pairs with tell_parent */
  if (own != NULL && &own->icv == task->icv && childless)
    return &own->icv;
  own = ghcomp_memory_get(sizeof *own);
  own->icv = *task->icv;
  own->next = task->owned_icvs;
  task->owned_icvs = own;
  task->has_more = true;
  task->icv = &own->icv;
  return &own->icv;
}

void ghcomp_icv_scope_drop(struct task *task)
{
  while (task->owned_icvs != NULL) {
    struct owned_icv *next = task->owned_icvs->next;
    ghcomp_memory_release(task->owned_icvs);
    task->owned_icvs = next;
  }
}
