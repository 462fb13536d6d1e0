#include "task/lineage.h"

#include "state/thread.h"
#include "wait/lock.h"

/* True: the task is complete and one child's header is in use.  Then no other thread uses the
   task.  */
static bool has_one_left(struct task *task)
{
  return load_acquire(&task->from_children) >> 32 == ALL_FREE - 1; /* pairs with ghcomp_children_tell */
}

/* The count of free children is below this value until the task is complete.  */
static bool is_complete(struct task *task)
{
  return load_acquire(&task->from_children) >> 32 >= ALL_FREE / 2; /* pairs with ghcomp_children_tell */
}

/* Leaves out the ancestors of the task that have one child left.  Returns the first that has more,
   or is not complete.  */
static struct task *leave_out(struct thread *self, struct task *task,
                              void (*put)(struct thread *, struct task *))
{
  struct task *parent = load_relaxed(&task->parent);
  while (has_one_left(parent)) {
    struct task *gone = parent;
    parent = load_relaxed(&gone->parent);
    store_relaxed(&task->parent, parent); /* the addition releases it; walk loads it */
    add_release(&task->team->tasks.ancestors_left_out, 1); /* pairs with the loads around walk */
    if (unlikely(gone->owned_icvs != NULL))
      ghcomp_icv_scope_hand_down(gone, task);
    put(self, gone);
  }
  return parent;
}

/* Goes through a task and its ancestors, as far as they are complete.
   Requires: lineage_lock.  */
static void shorten_line(struct thread *self, struct task *from,
                         void (*put)(struct thread *, struct task *))
{
  struct member *member = self->member;
  member->tasks.line_length = member->tasks.ended_before_children = 0;
  for (struct task *task = from; is_complete(task); task = leave_out(self, task, put))
    member->tasks.line_length++;
}

enum { ENDED_MOST = 1024 };

/* One thread at a time goes through the line.  Others go on without, but a thread that has left
   many headers behind waits.  */
static bool lock_line(struct team *team, unsigned ended)
{
  if (ghcomp_lock_try(&team->tasks.lineage_lock))
    return true;
  if (ended < ENDED_MOST)
    return false;
  ghcomp_lock_acquire(&team->tasks.lineage_lock);
  return true;
}

void ghcomp_lineage_shorten_above(struct thread *self, struct task *task,
                                  void (*put)(struct thread *, struct task *))
{
  struct member *member = self->member;
  struct task *parent = load_relaxed(&task->parent);
  if (!is_complete(parent)) {
    member->tasks.ended_before_children = 0; /* or each of its other children would look at this busy word */
  } else if (lock_line(task->team, member->tasks.ended_before_children)) {
    shorten_line(self, parent, put);
    ghcomp_lock_release(&task->team->tasks.lineage_lock);
  }
}

void ghcomp_lineage_shorten(struct thread *self, struct task *task,
                            void (*put)(struct thread *, struct task *))
{
  leave_out(self, task, put);
  self->member->tasks.ended_before_children++;
}

/* Sets depths from the uppermost ancestor down, so that depth falls from each task to its parent at
   every moment.  Returns the task's depth.
   Requires: lineage_lock.  */
static unsigned renumber_depths(struct task *task)
{
  if (is_complete(task)) /* released, as every depth is: see walk */
    store_release(&task->depth, renumber_depths(load_relaxed(&task->parent)) + 1);
  return load_relaxed(&task->depth);
}

void ghcomp_lineage_raise(struct thread *self, struct task *task,
                          void (*put)(struct thread *, struct task *))
{
  struct task *parent = load_relaxed(&task->parent);
  if (!is_complete(parent) || !ghcomp_lock_try(&task->team->tasks.lineage_lock))
    return;
  shorten_line(self, parent, put);
  store_release(&task->depth, renumber_depths(parent) + 1);
  ghcomp_lock_release(&task->team->tasks.lineage_lock);
}

/* A new task releases its depth and its parent.  So a thread that reads one that was written after
   a header was used again also sees that `ancestors_left_out` was raised before.  */
static bool walk(struct task *task, struct task *ancestor)
{
  unsigned ancestor_depth = load_relaxed(&ancestor->depth);
  unsigned depth = load_relaxed(&task->depth);
  while (depth > ancestor_depth) {
    task = load_acquire(&task->parent);
    if (task == NULL)
      return false;
    unsigned above = load_acquire(&task->depth);
    if (above >= depth)
      return false;
    depth = above;
  }
  return task == ancestor;
}

bool ghcomp_lineage_descends_in(struct team *team, struct task *task, struct task *ancestor)
{
  for (;;) {
    uint32_t before = load_acquire(&team->tasks.ancestors_left_out); /* pairs with leave_out */
    bool answer = walk(task, ancestor);
    if (load_relaxed(&team->tasks.ancestors_left_out) == before)
      return answer;
  }
}

bool ghcomp_lineage_descends(struct task *task, struct task *ancestor)
{
  return ghcomp_lineage_descends_in(ancestor->team, task, ancestor);
}
