/* Whose child a task is when its parent has ended, and whether a task descends from another.  See
   children.md, Ancestors that are left out.  */
#ifndef GHCOMP_TASK_LINEAGE_H
#define GHCOMP_TASK_LINEAGE_H

#include "state/task.h"
#include "state/thread.h"

/* The task is about to be complete, and leaves children behind.  Calls `put` for headers of
   ancestors that are no longer needed.
   Cost: one transfer, and one for each ancestor that goes.  */
void ghcomp_lineage_shorten(struct thread *self, struct task *task,
                            void (*put)(struct thread *, struct task *));

/* How many tasks end with children left behind before a thread goes through the whole line of its
   ancestors; see children.md.  */
enum { ENDED_LEAST = 16 };

static inline bool ghcomp_lineage_should_shorten(const struct member *member)
{
  return member->tasks.ended_before_children > ENDED_LEAST + member->tasks.line_length;
}

/* The thread begins a deferred task, whose body may leave as many headers behind as those before: goes through the line
   of its ancestors, if its parent is complete.  */
void ghcomp_lineage_shorten_above(struct thread *self, struct task *task,
                                  void (*put)(struct thread *, struct task *));

/* For a long chain of tasks: makes the running task's depth smaller, if possible.  */
void ghcomp_lineage_raise(struct thread *self, struct task *task,
                          void (*put)(struct thread *, struct task *));

/* True: the task descends from the ancestor.  The task's header may be used again meanwhile; then
   the answer does not matter, but the walk ends, because depth falls at every step.
   Requires: the ancestor's header stays its own.  */
bool ghcomp_lineage_descends(struct task *task, struct task *ancestor);

/* The same for the team's tasks.  The ancestor's header may be used again, too, even in another team.  */
bool ghcomp_lineage_descends_in(struct team *team, struct task *task, struct task *ancestor);

/* ---------------------------------------------------------------------- ICVs */

/* The ICVs of the current task, and how omp_set_* changes them.

   A task points to its ICVs, and a child begins with its parent's pointer, so inheriting costs
   nothing.  Children that exist already must not see a change.  So a change is made in a struct of
   the task's own, and in a new one if children may point to the last.  */

struct owned_icv {
  struct icv icv;
  struct icv *before;      /* what the task used until then */
  struct owned_icv *next;  /* older */
};

/* A struct that the current task may write.  */
struct icv *ghcomp_icv_scope_own(struct thread *self);

/* Gives a new task its own copy of what it inherits.  */
void ghcomp_icv_scope_copy(struct task *child);

/* The task `gone` is left out, and `child` is its last child.  The struct that the child began with
   becomes the child's own, because the child's children may point to it.  No task points to the
   other structs.  */
void ghcomp_icv_scope_hand_down(struct task *gone, struct task *child);

/* Frees the task's structs.
   Requires: no child is left.  */
void ghcomp_icv_scope_drop(struct task *task);

#endif
