/* What children tell their parent.  See children.md.  */
#ifndef GHCOMP_TASK_CHILDREN_H
#define GHCOMP_TASK_CHILDREN_H

#include "base/check.h"
#include "task/header.h"

/* Far below 2^31, where the halves of child_count would overflow; small for tests. */
#define MOST_CHILDREN (GHCOMP_CHECK >= 2 ? (uint32_t)1 << 8 : (uint32_t)1 << 30)

/* Counts a child.  If there are very many, subtracts those whose headers are free from both halves;
   they are complete, too.  */
static inline void ghcomp_children_count(struct task *parent)
{
  if (unlikely(++parent->created >= MOST_CHILDREN)) {
    uint32_t gone = load_relaxed(&parent->from_children) >> 32;
    sub_relaxed(&parent->from_children, (CHILD_FREE + CHILD_COMPLETE) * gone);
    parent->created -= gone;
  }
}

/* True: all children so far are complete, so a new one has no predecessors.  */
static inline bool ghcomp_children_are_complete(const struct task *parent)
{
  /* Pairs with ghcomp_children_tell.  */
  return parent->created == 0 || (uint32_t)load_acquire(&parent->from_children) == parent->created;
}

/* True: no header of a child is in use.  */
static inline bool ghcomp_children_are_free(const struct task *parent)
{
  /* Pairs with ghcomp_children_tell.  */
  return parent->created == 0 || load_acquire(&parent->from_children) >> 32 == parent->created;
}

/* All children are complete: the task counts anew, if no child's header is in use.  */
void ghcomp_children_forget(struct task *parent);

/* Reports CHILD_COMPLETE, CHILD_FREE, or both.  A parent's header that becomes free goes back, and
   perhaps those of its ancestors.  */
void ghcomp_children_tell(struct thread *self, struct task *parent, uint64_t what);

/* A task that leaves children behind is complete.  */
void ghcomp_children_leave(struct thread *self, struct task *task);

/* The task is complete, and its parent has counted it.  */
static inline void ghcomp_children_end(struct thread *self, struct task *task, struct task *parent)
{
  if (ghcomp_children_are_free(task)) {
    ghcomp_header_put(self, task);
    ghcomp_children_tell(self, parent, CHILD_COMPLETE | CHILD_FREE);
  } else {
    ghcomp_children_leave(self, task);
  }
}

#endif
