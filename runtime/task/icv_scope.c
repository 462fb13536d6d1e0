/* Copy-on-write of a task's ICVs.  */
#include "task/lineage.h"

#include "base/memory.h"
#include "state/thread.h"

/* A task that has needed this many structs will need more.  From here on its deferred children get
   copies, and it changes its last struct in place.  */
enum { MOST_OWNED = 16 };

static bool has_many(const struct task *task)
{
  unsigned count = 0;
  for (const struct owned_icv *own = task->owned_icvs; own != NULL; own = own->next)
    count++;
  return count >= MOST_OWNED;
}

struct icv *ghcomp_icv_scope_own(struct thread *self)
{
  struct task *task = self->member->task;
  struct owned_icv *own = task->owned_icvs;
  bool childless = (load_acquire(&task->from_children) >> 32) == task->created; /* pairs with ghcomp_children_tell */
  if (own != NULL && &own->icv == task->icv &&
      (childless || (task->flags & TASK_CHANGES_ICVS) != 0))
    return &own->icv;
  if (has_many(task))
    task->flags |= TASK_CHANGES_ICVS;
  own = ghcomp_memory_get(sizeof *own);
  own->icv = *task->icv;
  own->before = task->icv;
  own->next = task->owned_icvs;
  task->owned_icvs = own;
  task->has_rare_fields = true;
  task->icv = &own->icv;
  return &own->icv;
}

void ghcomp_icv_scope_copy(struct task *child)
{
  struct owned_icv *own = ghcomp_memory_get(sizeof *own);
  *own = (struct owned_icv){.icv = *child->icv, .before = &own->icv};
  child->owned_icvs = own;
  child->has_rare_fields = true;
  child->icv = &own->icv;
  child->flags &= (unsigned short)~TASK_CHANGES_ICVS;
}

/* What the task inherited.  */
static struct icv *first_icv(const struct task *task)
{
  struct icv *first = task->icv;
  for (const struct owned_icv *own = task->owned_icvs; own != NULL; own = own->next)
    first = own->before;
  return first;
}

static struct owned_icv **end_of(struct owned_icv **list)
{
  while (*list != NULL)
    list = &(*list)->next;
  return list;
}

void ghcomp_icv_scope_hand_down(struct task *gone, struct task *child)
{
  struct icv *first = first_icv(child);
  struct owned_icv **link = &gone->owned_icvs;
  while (*link != NULL && &(*link)->icv != first)
    link = &(*link)->next;
  struct owned_icv *own = *link;
  if (own == NULL)
    return;
  *link = own->next;
  own->before = first; /* it is the child's oldest, and so says what the child inherited */
  own->next = NULL;
  *end_of(&child->owned_icvs) = own;
  child->has_rare_fields = true;
}

void ghcomp_icv_scope_drop(struct task *task)
{
  while (task->owned_icvs != NULL) {
    struct owned_icv *next = task->owned_icvs->next;
    ghcomp_memory_release(task->owned_icvs);
    task->owned_icvs = next;
  }
}
