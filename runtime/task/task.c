/* The life of a task: created, ready, running, complete.

   A deferred task is ready when it has no predecessors (deque.h).  Waiting threads execute ready
   tasks (task_wait.h).  No lock of the team is taken on the way.

   Invariant: the sum of tasks_created over all members counts the deferred tasks.  The sum of
   tasks_done counts the complete ones; it is raised last, when nothing uses the task any more.  So
   equal sums mean that no task is left.  */
#include "task/task.h"

#include "base/cycles.h"
#include "base/memory.h"
#include "base/stats.h"
#include "state/thread.h"
#include "task/at_once.h"
#include "task/children.h"
#include "task/depend.h"
#include "task/deque.h"
#include "task/event.h"
#include "task/header.h"
#include "task/lineage.h"
#include "task/search.h"
#include "task/stack.h"
#include "task/steal.h"
#include "task/task_wait.h"
#include "wait/parking.h"

#include <string.h>

/* ------------------------------------------------------------ begin of a task */

static __attribute__((noinline)) void drop_table_and_payload(struct task *task)
{
  if ((task->flags & TASK_GOES_ON) != 0)
    return;
  ghcomp_depend_drop_table(task->child_dependences);
  task->child_dependences = NULL;
  if ((task->flags & TASK_DETACH) == 0) /* else whoever completes it may know it by its block */
    ghcomp_header_drop_payload(task);
}

/* The body has run.  Only the ICVs are still needed, because children use them.  */
static inline void end_body(struct task *task)
{
  if (unlikely(task->has_rare_fields))
    drop_table_and_payload(task);
}

enum { DEPTH_STEP = 1 << 16 };

static inline void adopt(struct thread *self, struct task *task, struct task *parent, unsigned flags)
{
  /* Depth must not overflow, however long a chain of tasks is.  */
  if (unlikely(load_relaxed(&parent->depth) % DEPTH_STEP == DEPTH_STEP - 1))
    ghcomp_lineage_raise(self, parent, ghcomp_header_put_back);
  ghcomp_task_inherit(task, parent, flags);
  if (unlikely((parent->flags & TASK_CHANGES_ICVS) != 0))
    ghcomp_icv_scope_copy(task);
}

void ghcomp_task_adopt(struct thread *self, struct task *task, unsigned flags)
{
  adopt(self, task, self->member->task, flags);
}

static inline struct task *make_child(struct thread *self, struct task *parent, bool final)
{
  struct task *task = ghcomp_header_take(self);
  adopt(self, task, parent, final ? TASK_FINAL : 0);
  return task;
}

void ghcomp_task_drop_implicit(struct member *member)
{
  struct task *task = &member->implicit;
  ghcomp_icv_scope_drop(task);
  end_body(task);
  task->has_rare_fields = false;
}

/* ----------------------------------------------------------------- completion */

/* ----------------------------------------------------------------- completion */

/* Tells successors (which `put` makes ready), taskgroup and parent that the task is complete.  The
   caller raises tasks_done afterwards; see the invariant above.  */
static inline void tell_complete(struct thread *self, struct task *task,
                                 void (*put)(struct thread *, struct task *))
{
  struct taskgroup *group = task->group;
  struct task *parent = load_relaxed(&task->parent);
  if (unlikely(task->node != NULL)) {
    ghcomp_depend_complete(self, task->node, put);
    task->node = NULL;
  }
  if (group != NULL)
    ghcomp_parking_count_down(&group->unfinished, load_relaxed(&group->waiter));
  ghcomp_children_end(self, task, parent);
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
  /* If the block holds constructed copies, the body must run to destroy them.  It meets its
     cancellation points.  */
  if (likely((task->flags & TASK_ALWAYS_CALLED) != 0 || !ghcomp_task_is_cancelled(task)))
    task->fn(task->data);
  else
    task->fn = NULL;
  member->task = outer;
  end_body(task);
}

/* The body has run.  The later of this call and ghcomp_task_fulfill completes the task.  */
static bool detached_is_complete(struct task *task)
{
  struct team *team = task->team;
  ghcomp_task_await_event(team);
  /* Pairs with the same in ghcomp_task_fulfill.  */
  if ((or_acq_rel(&task->detach, DETACH_BODY_DONE) & DETACH_FULFILLED) == 0)
    return false;
  sub_relaxed(&team->tasks.events_awaited, 1); /* a count that is too high only ends a wait for fewer tasks
                                          early */
  return true;
}

/* The body has yielded: others have their turn, and anybody may go on with it.  */
static void give_back(struct thread *self, struct task *task)
{
  task->flags &= (unsigned short)~(TASK_GOES_ON | TASK_YIELDED);
  self->member->tasks.youngest_yielded = true;
  ghcomp_ready_put(self, task);
}

/* After a body that has left such a flag.  Nobody waits for an event that perhaps the body would have fulfilled, if it has not begun.  */
static __attribute__((noinline)) bool is_complete(struct thread *self, struct task *task)
{
  if ((task->flags & TASK_GOES_ON) != 0) {
    give_back(self, task);
    return false;
  }
  return (task->fn == NULL && ghcomp_task_withdraw_event(task)) || detached_is_complete(task);
}

void ghcomp_task_run(struct thread *self, struct task *task)
{
  struct member *member = self->member;
  store_relaxed(&task->runner, self);
  if (unlikely(ghcomp_lineage_should_shorten(member)))
    ghcomp_lineage_shorten_above(self, task, ghcomp_header_put_back);
  run_body(member, task);
  if (unlikely((task->flags & (TASK_DETACH | TASK_GOES_ON)) != 0) && !is_complete(self, task))
    return;
  tell_complete(self, task, ghcomp_ready_put);
  count_done(member);
}

void ghcomp_task_fulfill_undeferred(struct task *task)
{
  struct thread *runner = load_relaxed(&task->runner);
  or_seq_cst(&task->detach, DETACH_FULFILLED);
  ghcomp_parking_wake(&runner->waiter);
}

bool ghcomp_task_fulfill(struct task *task)
{
  /* Pairs with the same in detached_is_complete.  */
  return (or_acq_rel(&task->detach, DETACH_FULFILLED) & DETACH_BODY_DONE) != 0;
}

void ghcomp_task_complete_outside(struct thread *self, struct task *task)
{
  struct team *team = task->team;
  sub_relaxed(&team->tasks.events_awaited, 1);
  tell_complete(self, task, ghcomp_ready_put_aside);
  add_release(&team->tasks.done_elsewhere, 1); /* pairs with ghcomp_team_is_quiescent */
}

/* ------------------------------------------------------------------- creation */

static inline char *find_room(struct task *task, size_t used, size_t size, size_t alignment)
{
  if (alignment < 16)
    alignment = 16;
  char *room = (char *)task->small_payload + used;
  if (size + (alignment > 16 ? alignment : 0) > sizeof task->small_payload - used) {
    room = task->payload = ghcomp_memory_get(size + alignment);
    task->has_rare_fields = true;
  }
  return (char *)(((uintptr_t)room + alignment - 1) & ~(uintptr_t)(alignment - 1));
}

char *ghcomp_task_find_room(struct task *task, size_t used, size_t size, size_t alignment)
{
  return find_room(task, (used + 15) & ~(size_t)15, size, alignment);
}

static void *copy_block(struct task *task, const struct task_request *r)
{
  size_t size = (size_t)r->size;
  char *block = find_room(task, 0, size, r->alignment > 16 ? (size_t)r->alignment : 16);
  if (r->copy != NULL) {
    r->copy(block, r->data);
    task->flags |= TASK_ALWAYS_CALLED;
  } else if (size != 0)
    memcpy(block, r->data, size);
  if (r->fill != NULL)
    r->fill(block, r->argument);
  return block;
}

/* The compiler's block begins with a copy of the event handle. */
static void publish_event(struct task *task, const struct task_request *r)
{
  void *event = ghcomp_task_event(task);
  *(void **)r->event = event;
  if (r->data != NULL)
    *(void **)r->data = event;
}

/* In a team whose tasks are for nobody else, tasks may have been deferred because the stack was
   deep or a predecessor was not complete.  Nobody else executes them, and outside a region no
   barrier follows.  */
static void run_deferred_alone(struct thread *self)
{
  struct member *member = self->member;
  if (!member->team->own_tasks_only)
    return;
  bool outermost = load_relaxed(&member->task->parent) == NULL;
  while ((outermost || !ghcomp_stack_is_deep(member)) && ghcomp_task_run_descendant(self))
    ;
}

/* Ends an undeferred task.  If it leaves no children behind, no other thread has seen its
   header.  */
static inline void end_undeferred(struct thread *self, struct task *task, struct task *parent)
{
  if (likely(ghcomp_children_are_free(task))) {
    ghcomp_header_put(self, task);
    return;
  }
  ghcomp_children_count(parent);
  ghcomp_children_end(self, task, parent);
  run_deferred_alone(self);
}

static void run_undeferred(struct thread *self, const struct task_request *r)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  if (likely(r->copy == NULL && r->fill == NULL && r->event == NULL)) {
    ghcomp_at_once(self, parent, r->fn, r->data, r->final ? TASK_FINAL : 0);
    return;
  }
  struct task *task = make_child(self, parent, r->final);
  store_relaxed(&task->runner, self);
  ghcomp_count(&self->waiter.counters, STAT_TASKS_AT_ONCE);
  task->fn = r->fn;
  if (unlikely(r->event != NULL)) {
    publish_event(task, r);
    task->flags |= TASK_ALWAYS_CALLED; /* it begins now, and its creator waits for the event */
  }
  task->data = r->copy != NULL || r->fill != NULL ? copy_block(task, r) : r->data;
  run_body(member, task);
  if (unlikely(r->event != NULL)) {
    ghcomp_task_wait_event(self, task);
    ghcomp_task_forget_event(task);
  }
  end_undeferred(self, task, parent);
}

static inline void count_created(struct thread *self, struct member *member)
{
  ghcomp_count(&self->waiter.counters, STAT_TASKS_DEFERRED);
  ghcomp_children_count(member->task);
  if (!load_relaxed(&member->team->any_deferred))
    store_relaxed(&member->team->any_deferred, true);
  /* Relaxed: a thread that sees the task done, or its creator at the barrier, also sees this.  */
  store_relaxed(&member->tasks_created, load_relaxed(&member->tasks_created) + 1);
}

void ghcomp_task_put_range(struct thread *self, struct task *task)
{
  count_created(self, self->member);
  ghcomp_ready_put(self, task);
}

void ghcomp_task_withdraw(struct thread *self, struct task *task)
{
  struct member *member = self->member;
  member->task->created--;
  ghcomp_header_put(self, task);
  count_done(member);
}

static inline void submit(struct thread *self, struct task *task, void **depend)
{
  struct member *member = self->member;
  ghcomp_reserve_adjust(member);
  if (task->group != NULL)
    add_relaxed(&task->group->unfinished, 1);
  count_created(self, member);
  if (depend == NULL || ghcomp_depend_register(self, task, depend))
    ghcomp_ready_put(self, task);
}

void ghcomp_task_end_slowly(struct thread *self, struct task *task, struct task *parent)
{
  end_body(task);
  end_undeferred(self, task, parent);
}

/* Tasks with a priority are not in the deque.  The others have enough of them when there are as
   many as a deque holds at most.  The look counts for what follows if the task is deferred.  */
static bool others_have_enough(struct member *member, int priority)
{
  if (priority > 0 && !member->team->own_tasks_only)
    return load_relaxed(&member->team->tasks.queued) >= MOST_RESERVE && !ghcomp_reserve_is_unlimited(member);
  if (member->team->own_tasks_only)
    return true;
  /* No more are left than the last look has shown, and those since.  Where many thieves come, a look takes the line from them.  */
  if (unlikely(ghcomp_search_is_by_groups(member)) &&
      !ghcomp_reserve_suffices(member, ghcomp_deque_length_seen(&member->deque)))
    return false;
  return ghcomp_reserve_suffices(member, ghcomp_deque_look(&member->deque));
}

static inline bool is_due(struct member *member, bool depends, int priority)
{
  return others_have_enough(member, priority) && !ghcomp_stack_is_deep(member) &&
         (!depends || ghcomp_children_are_complete(member->task));
}

bool ghcomp_task_is_due(struct member *member, bool depends, int priority)
{
  return is_due(member, depends, priority);
}

/* Tasks with dependences and events are deferred even if no thread waits for tasks.  So that there
   are not too many, their creator sometimes executes ready ones: for a short time, because others
   may wait for the tasks that it creates next.  If there are too many all the same, it goes on when
   there are fewer.  */
enum { PILE = 32, CATCH_UP_NS = 5000 };

static void catch_up(struct thread *self)
{
  struct member *member = self->member;
  if (++member->tasks.since_catch_up < PILE || ghcomp_stack_is_deep(member))
    return;
  member->tasks.since_catch_up = 0;
  if (ghcomp_reserve_is_unlimited(member))
    return;
  uint64_t end = cycles_now() + cycles_in(CATCH_UP_NS);
  while (ghcomp_deque_length(&member->deque) > member->tasks.others &&
         ghcomp_task_run_descendant(self) && cycles_now() < end)
    ;
  if (ghcomp_task_has_many(self))
    ghcomp_task_wait_for_fewer(self);
}

static inline void defer(struct thread *self, struct task *task, void **depend)
{
  bool piles = depend != NULL || (task->flags & TASK_DETACH) != 0;
  submit(self, task, depend);
  run_deferred_alone(self);
  if (piles)
    catch_up(self);
}

void ghcomp_task_defer(struct thread *self, struct task *task, void **depend)
{
  defer(self, task, depend);
}

void ghcomp_task_create(struct thread *self, const struct task_request *r)
{
  struct member *member = self->member;
  struct task *parent = member->task;
  if (ghcomp_task_is_cancelled(parent))
    return;
  if (!r->deferrable || (parent->flags & TASK_FINAL) != 0) {
    if (r->depend != NULL)
      ghcomp_task_wait_depend(self, r->depend);
    run_undeferred(self, r);
    return;
  }
  int priority = ghcomp_task_clamp_priority(r->priority);
  if (is_due(member, r->depend != NULL, priority) && r->event == NULL) {
    run_undeferred(self, r);
    return;
  }
  struct task *task = make_child(self, parent, r->final);
  task->fn = r->fn;
  task->priority = priority;
  if (unlikely(r->event != NULL)) {
    task->flags |= TASK_DETACH;
    publish_event(task, r);
  }
  task->data = copy_block(task, r);
  defer(self, task, r->depend);
}
