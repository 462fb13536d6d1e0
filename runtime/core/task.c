/* The life of a task: created, ready, running, complete.

   A deferred task is ready once it has no predecessors (ready.h); whoever waits runs
   ready tasks (task_wait.h).  There is no lock of the team on the way.

   Invariant: tasks_created of all members together counts the deferred tasks;
   tasks_done counts the complete ones and is raised last, when nothing of the
   task is used any more.  So equal sums mean that no task is left.  */
#include "core/task.h"

#include "base/check.h"
#include "core/barrier.h"
#include "core/depend.h"
#include "core/icv_scope.h"
#include "core/memory.h"
#include "core/parking.h"
#include "core/ready.h"
#include "core/reserve.h"
#include "core/task_header.h"
#include "core/task_wait.h"
#include "core/team.h"

#include <string.h>

/* ------------------------------------------------------------ begin of a task */

static bool group_is_cancelled(const struct taskgroup *group)
{
  if (unlikely(load_relaxed(&group->cancelled)))
    return true;
  return group->workshare && group->outer != NULL && load_relaxed(&group->outer->cancelled);
}

static inline bool is_cancelled(const struct task *task)
{
  return unlikely(load_relaxed(&task->team->cancelled)) ||
         (task->group != NULL && group_is_cancelled(task->group));
}

bool ghcomp_task_is_cancelled(const struct task *task)
{
  return is_cancelled(task);
}

static inline void put_header(struct thread *self, struct task *task)
{
  if (unlikely(task->owned_icvs != NULL))
    ghcomp_icv_scope_drop(task);
  if (unlikely((task->flags & TASK_DETACH) != 0))
    store_relaxed(&task->detach, 0);
  ghcomp_task_header_put(self, task);
}

static inline struct task *make_child(struct thread *self, struct task *parent, bool final)
{
  struct task *task = ghcomp_task_header_take(self);
  store_relaxed(&task->references, TASK_HOLD | TASK_LIVE);
  store_relaxed(&task->depth, load_relaxed(&parent->depth) + 1);
  store_relaxed(&task->parent, parent);
  task->group = parent->group;
  task->icv = parent->icv;
  task->team = parent->team;
  task->flags = (unsigned char)((parent->flags & TASK_FINAL) | (final ? TASK_FINAL : 0));
  return task;
}

void ghcomp_task_begin_implicit(struct thread *self, struct member *member)
{
  struct task *task = &member->implicit;
  if (unlikely(task->owned_icvs != NULL || task->children != NULL))
    ghcomp_task_end_implicit(member);
  store_relaxed(&task->references, TASK_HOLD | TASK_LIVE);
  store_relaxed(&task->runner, self);
  task->group = member->team->group;
  task->icv = member->team->icv;
  task->team = member->team;
  task->flags = TASK_IMPLICIT;
  member->task = task;
}

void ghcomp_task_end_implicit(struct member *member)
{
  struct task *task = &member->implicit;
  ghcomp_icv_scope_drop(task);
  ghcomp_depend_drop_table(task->children);
  task->children = NULL;
}

/* ----------------------------------------------------------------- completion */

/* The header of a complete task without children in use goes back, and with it
   perhaps its ancestors'.  */
static void drop_hold(struct thread *self, struct task *parent, uint64_t amount)
{
  for (;;) {
    struct thread *waiter = load_relaxed(&parent->runner);
    /* Releases what the child did to the parent's taskwait.  */
    uint64_t old = sub_seq_cst(&parent->references, amount);
    if (unlikely((old & WAIT_FLAG) != 0) && WAIT_COUNT((uint32_t)old) == 2)
      ghcomp_parking_wake(waiter);
    if ((amount >> 32) == 0 || (old >> 32) != 1)
      return;
    struct task *gone = parent;
    parent = load_relaxed(&gone->parent);
    put_header(self, gone);
    amount = TASK_HOLD;
  }
}

/* Tells successors, taskgroup, parent; see the invariant above for why the
   caller raises tasks_done afterwards.  */
static void tell_complete(struct thread *self, struct task *task)
{
  struct taskgroup *group = task->group;
  struct task *parent = load_relaxed(&task->parent);
  if (unlikely(task->node != NULL)) {
    ghcomp_depend_complete(self, task->node);
    task->node = NULL;
  }
  if (group != NULL)
    ghcomp_parking_count_down(&group->unfinished, load_relaxed(&group->owner));
  /* Acquires what children that held the header did.  */
  uint64_t old = sub_seq_cst(&task->references, TASK_HOLD | TASK_LIVE);
  if ((old >> 32) == 1) {
    put_header(self, task);
    drop_hold(self, parent, TASK_HOLD | TASK_LIVE);
  } else {
    drop_hold(self, parent, TASK_LIVE);
  }
}

static void count_done(struct member *member)
{
  /* Pairs with the loads in ghcomp_team_is_quiescent.  */
  store_release(&member->tasks_done, load_relaxed(&member->tasks_done) + 1);
}

static void run_body(struct member *member, struct task *task)
{
  struct task *outer = member->task;
  member->task = task;
  /* A discarded body would leave constructed copies behind: those run, and
     meet their cancellation points.  */
  if (likely((task->flags & TASK_COPIED) != 0 || !is_cancelled(task)))
    task->fn(task->data);
  member->task = outer;
  if (unlikely(task->payload != NULL)) {
    ghcomp_memory_release(task->payload);
    task->payload = NULL;
  }
  if (unlikely(task->children != NULL)) {
    ghcomp_depend_drop_table(task->children);
    task->children = NULL;
  }
}

void ghcomp_task_run(struct thread *self, struct task *task)
{
  struct member *member = self->member;
  store_relaxed(&task->runner, self);
  run_body(member, task);
  if (unlikely((task->flags & TASK_DETACH) != 0)) {
    /* Pairs with the same in ghcomp_task_fulfill: the second of the two
       completes the task.  */
    if ((or_acq_rel(&task->detach, DETACH_BODY_DONE) & DETACH_FULFILLED) == 0)
      return;
  }
  tell_complete(self, task);
  count_done(member);
}

void ghcomp_task_fulfill(struct task *task)
{
  struct team *team = task->team;
  if ((task->flags & TASK_DETACH) == 0) /* undeferred: its creator waits for the bit */
    team = NULL;
  struct thread *runner = load_relaxed(&task->runner);
  if (team == NULL) {
    or_seq_cst(&task->detach, DETACH_FULFILLED);
    ghcomp_parking_wake(runner);
    return;
  }
  /* The region cannot be closed while the task is incomplete, nor while this
     thread is counted here.  */
  add_seq_cst(&team->helpers, 1);
  struct thread *master = team->members[0].thread;
  if ((or_acq_rel(&task->detach, DETACH_FULFILLED) & DETACH_BODY_DONE) != 0) {
    tell_complete(ghcomp_self(), task);
    add_seq_cst(&team->tasks_done_elsewhere, 1);
    ghcomp_barrier_look(team);
    ghcomp_parking_wake_team(team);
  }
  sub_seq_cst(&team->helpers, 1);
  ghcomp_parking_wake(master);
}

/* ------------------------------------------------------------------- creation */

static void *copy_block(struct task *task, const struct task_request *r)
{
  size_t alignment = r->alignment > 16 ? (size_t)r->alignment : 16;
  size_t size = (size_t)r->size;
  char *block = (char *)task->room;
  if (size + (alignment > 16 ? alignment : 0) > sizeof task->room)
    block = task->payload = ghcomp_memory_get(size + alignment);
  block = (char *)(((uintptr_t)block + alignment - 1) & ~(uintptr_t)(alignment - 1));
  if (r->copy != NULL) {
    r->copy(block, r->data);
    task->flags |= TASK_COPIED;
  } else if (size != 0)
    memcpy(block, r->data, size);
  if (r->fill != NULL)
    r->fill(block, r->argument);
  return block;
}

/* The event handle is the task; the compiler's block begins with a copy of it. */
static void publish_event(struct task *task, const struct task_request *r)
{
  *(void **)r->event = task;
  if (r->data != NULL)
    *(void **)r->data = task;
}

/* Undeferred: the creator runs it at once.  Nobody counts it, and when it
   leaves no children behind, nobody else ever sees the header.  */
static inline void end_undeferred(struct thread *self, struct task *task, struct task *parent)
{
  /* Pairs with the subtractions of children in drop_hold.  */
  if (likely(load_acquire(&task->references) == (TASK_HOLD | TASK_LIVE))) {
    put_header(self, task);
    return;
  }
  add_relaxed(&parent->references, TASK_HOLD);
  if ((sub_seq_cst(&task->references, TASK_HOLD | TASK_LIVE) >> 32) == 1) {
    put_header(self, task);
    drop_hold(self, parent, TASK_HOLD);
  }
}

static void run_undeferred(struct thread *self, const struct task_request *r)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  struct task *task = make_child(self, parent, r->final);
  store_relaxed(&task->runner, self);
  task->fn = r->fn;
  if (unlikely(r->event != NULL))
    publish_event(task, r);
  task->data = r->copy != NULL || r->fill != NULL ? copy_block(task, r) : r->data;
  run_body(member, task);
  if (unlikely(r->event != NULL)) {
    ghcomp_task_wait_event(self, task);
    store_relaxed(&task->detach, 0);
  }
  end_undeferred(self, task, parent);
}

static void submit(struct thread *self, struct task *task, const struct task_request *r)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  add_relaxed(&parent->references, TASK_HOLD | TASK_LIVE);
  if (task->group != NULL)
    add_relaxed(&task->group->unfinished, 1);
  if (!load_relaxed(&member->team->tasking))
    store_relaxed(&member->team->tasking, true);
  store_release(&member->tasks_created, load_relaxed(&member->tasks_created) + 1);
  if (r->depend == NULL || ghcomp_depend_register(self, task, r->depend))
    ghcomp_ready_put(self, task);
}

static __attribute__((noinline)) void end_slowly(struct thread *self, struct task *task,
                                                 struct task *parent)
{
  ghcomp_depend_drop_table(task->children);
  task->children = NULL;
  end_undeferred(self, task, parent);
}

bool ghcomp_task_run_at_once(struct thread *self, void (*fn)(void *), void *data, bool deferrable,
                             bool final)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  if (deferrable && (parent->flags & TASK_FINAL) == 0 && !ghcomp_reserve_is_full(member))
    return false;
  if (is_cancelled(parent))
    return true;
  struct task *task = make_child(self, parent, final);
  store_relaxed(&task->runner, self);
  member->task = task;
  fn(data);
  member->task = parent;
  /* Pairs with the subtractions of children in drop_hold.  */
  if (likely(task->children == NULL && task->owned_icvs == NULL &&
             load_acquire(&task->references) == (TASK_HOLD | TASK_LIVE))) {
    ghcomp_task_header_put(self, task);
  } else {
    end_slowly(self, task, parent);
  }
  return true;
}

/* Alone, with no task left, nothing can precede the task, and it precedes nothing that
   is not created yet.  */
static bool runs_at_once(struct member *member, const struct task_request *r)
{
  if (r->event != NULL)
    return false;
  if (r->depend == NULL)
    return ghcomp_reserve_is_full(member);
  return member->team->size == 1 && ghcomp_team_is_quiescent(member->team);
}

static int clamp_priority(int priority)
{
  if (priority < 0)
    return 0;
  return priority < ghcomp_settings.max_task_priority ? priority
                                                      : ghcomp_settings.max_task_priority;
}

void ghcomp_task_create(struct thread *self, const struct task_request *r)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  if (is_cancelled(parent))
    return;
  if (!r->deferrable || (parent->flags & TASK_FINAL) != 0) {
    if (r->depend != NULL)
      ghcomp_task_wait_depend(r->depend);
    run_undeferred(self, r);
    return;
  }
  if (runs_at_once(member, r)) {
    run_undeferred(self, r);
    return;
  }
  struct task *task = make_child(self, parent, r->final);
  task->fn = r->fn;
  task->priority = clamp_priority(r->priority);
  if (unlikely(r->event != NULL)) {
    task->flags |= TASK_DETACH;
    publish_event(task, r);
  }
  task->data = copy_block(task, r);
  submit(self, task, r);
  /* Alone, nobody else will run it, and outside a region no barrier follows. */
  while (member->team->size == 1 && ghcomp_task_run_descendant(self))
    ;
}
