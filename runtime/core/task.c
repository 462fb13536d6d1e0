/* The life of a task: created, ready, running, complete.

   A deferred task goes into its creator's deque (or, with a priority, into the
   team's list) once it has no predecessors.  Whoever waits runs tasks: any task
   at a barrier, descendants of the current task elsewhere (the task scheduling
   constraint, 5.2, 12.9).  There is no lock of the team on the way.

   Invariant: tasks_created of all members together counts the deferred tasks;
   tasks_done counts the complete ones and is raised last, when nothing of the
   task is used any more.  So equal sums mean that no task is left.

   Headers come from per-thread lists and are never unmapped: thieves look at a
   task before they own it.  */
#include "core/task.h"

#include "base/check.h"
#include "core/barrier.h"
#include "core/deque.h"
#include "core/depend.h"
#include "core/icv_scope.h"
#include "core/lock.h"
#include "core/memory.h"
#include "core/parking.h"
#include "core/team.h"
#include "core/thief.h"

#include <string.h>

/* -------------------------------------------------------------------- headers */

#define SLAB 16          /* headers made at once */
#define KEPT_HEADERS 256 /* per thread */

/* Headers that no thread keeps.  Pushed one chain at a time, taken all at
   once, so that no chain can change under a compare-and-swap.  */
static _Atomic(struct task *) spare_headers;

static void push_chain(struct task *first, struct task *last)
{
  struct task *seen = load_relaxed(&spare_headers);
  do
    last->next = seen;
  while (!cas_release(&spare_headers, &seen, first)); /* pairs with the swap in refill */
}

static __attribute__((noinline)) void refill(struct thread *self)
{
  struct task *chain = swap_acquire(&spare_headers, NULL); /* pairs with push_chain */
  if (chain == NULL) {
    struct task *slab = ghcomp_memory_get_lines(SLAB * sizeof *slab);
    for (unsigned i = 0; i + 1 < SLAB; i++)
      slab[i].next = &slab[i + 1];
    chain = slab;
  }
  self->free_tasks = chain;
  for (; chain != NULL; chain = chain->next)
    self->free_task_count++;
}

static struct task *take_header(struct thread *self)
{
  if (unlikely(self->free_tasks == NULL))
    refill(self);
  struct task *task = self->free_tasks;
  self->free_tasks = task->next;
  self->free_task_count--;
  return task;
}

static void drop_headers_above(struct thread *self, unsigned kept)
{
  struct task *first = self->free_tasks, *last = first;
  if (first == NULL || self->free_task_count <= kept)
    return;
  unsigned dropped = self->free_task_count - kept;
  for (unsigned i = 1; i < dropped; i++)
    last = last->next;
  self->free_tasks = last->next;
  self->free_task_count = kept;
  push_chain(first, last);
}

/* A header in a list has no ICVs of its own, payload, node or children, and its
   `detach` is 0: whoever set one of them has undone it.  */
static void return_header(struct thread *self, struct task *task)
{
  if (unlikely(task->owned_icvs != NULL))
    ghcomp_icv_scope_drop(task);
  if (unlikely((task->flags & TASK_DETACH) != 0))
    store_relaxed(&task->detach, 0);
  task->next = self->free_tasks;
  self->free_tasks = task;
  if (unlikely(++self->free_task_count > KEPT_HEADERS))
    drop_headers_above(self, KEPT_HEADERS / 2);
}

void ghcomp_task_drop_headers(struct thread *thread)
{
  drop_headers_above(thread, 0);
}

/* ------------------------------------------------------------------ relations */

/* May be called with a task that is no longer what it was: then the answer
   does not matter, but the walk ends, because depth falls at every step.  */
static bool is_descendant(struct task *task, struct task *ancestor)
{
  unsigned goal = load_relaxed(&ancestor->depth);
  unsigned depth = load_relaxed(&task->depth);
  while (depth > goal) {
    task = load_relaxed(&task->parent);
    if (task == NULL)
      return false;
    unsigned above = load_relaxed(&task->depth);
    if (above >= depth)
      return false;
    depth = above;
  }
  return task == ancestor;
}

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

static inline struct task *make_child(struct thread *self, struct task *parent, bool final)
{
  struct task *task = take_header(self);
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
    return_header(self, gone);
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
    return_header(self, task);
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

/* A deferred task that this thread took from a deque.  */
static void run_deferred(struct thread *self, struct task *task)
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

/* ------------------------------------------------------------- finding a task */

static bool any_deque_has_one(struct team *team)
{
  for (unsigned i = 0; i < team->size; i++)
    if (!ghcomp_deque_is_empty(&team->members[i].deque))
      return true;
  return load_seq_cst(&team->priority_count) != 0;
}

/* Nothing was found: say so, unless something came meanwhile.  */
static void lower_hint(struct team *team)
{
  if (any_deque_has_one(team))
    return;
  swap_seq_cst(&team->hint, 0); /* pairs with raise_hint: one of the two sees the other */
  if (any_deque_has_one(team))
    store_seq_cst(&team->hint, 1);
}

static struct task *take_priority(struct team *team, struct task *ancestor)
{
  if (load_seq_cst(&team->priority_count) == 0)
    return NULL;
  ghcomp_lock_acquire(&team->priority_lock);
  struct task **link = &team->priority_list;
  while (*link != NULL && ancestor != NULL && !is_descendant(*link, ancestor))
    link = &(*link)->next;
  struct task *task = *link;
  if (task != NULL) {
    *link = task->next;
    sub_seq_cst(&team->priority_count, 1);
  }
  ghcomp_lock_release(&team->priority_lock);
  return task;
}

static struct task *steal_one(struct member *member, struct task *ancestor)
{
  struct team *team = member->team;
  unsigned victim = member->victim;
  for (unsigned i = 0; i < team->size; i++, victim++) {
    if (victim >= team->size)
      victim = 0;
    if (victim == member->number)
      continue;
    struct task *task = ghcomp_deque_steal(&team->members[victim].deque,
                                           ancestor != NULL ? is_descendant : NULL, ancestor);
    if (task != NULL) {
      member->victim = victim;
      return task;
    }
  }
  return NULL;
}

/* A ready task that may run here: any (ancestor NULL), or a descendant.  */
struct found {
  struct task *task; /* or NULL */
  bool stolen;
};

static struct found find_task(struct thread *self, struct task *ancestor)
{
  struct member *member = self->member;
  struct team *team = member->team;
  struct task *task = take_priority(team, ancestor);
  if (task == NULL)
    task = ghcomp_deque_take(&member->deque, ancestor != NULL ? is_descendant : NULL, ancestor);
  if (task != NULL || load_seq_cst(&team->hint) == 0 || ghcomp_thief_pauses(self))
    return (struct found){task, false};
  uint64_t began = cycles_now();
  task = steal_one(member, ancestor);
  if (task != NULL)
    ghcomp_thief_note_steal(self, began);
  return (struct found){task, true};
}

static void run_found(struct thread *self, struct found found)
{
  if (!found.stolen) {
    run_deferred(self, found.task);
    return;
  }
  uint64_t began = cycles_now();
  run_deferred(self, found.task);
  ghcomp_thief_judge(self, began);
}

bool ghcomp_task_run_any(struct thread *self)
{
  struct found found = find_task(self, NULL);
  if (found.task == NULL) {
    if (load_seq_cst(&self->member->team->hint) != 0 && !ghcomp_thief_pauses(self))
      lower_hint(self->member->team);
    return false;
  }
  run_found(self, found);
  return true;
}

void ghcomp_task_prepare_sleep(struct thread *self, struct team *team)
{
  bool pauses = ghcomp_thief_pauses(self);
  if (!pauses)
    self->steal_pause = 0;
  ghcomp_parking_prepare(self, team, pauses ? PARK_FOR_NOTHING : PARK_FOR_ANY_TASK);
}

void ghcomp_task_sleep_unless(struct thread *self, bool available)
{
  if (load_relaxed(&self->park_for) == PARK_FOR_NOTHING)
    ghcomp_parking_sleep_for(self, self->steal_pause);
  else if (!available)
    ghcomp_parking_sleep(self);
}

/* Runs a descendant of the current task if one can be had.  */
static bool run_descendant(struct thread *self)
{
  struct found found = find_task(self, self->member->task);
  if (found.task == NULL)
    return false;
  run_found(self, found);
  return true;
}

/* --------------------------------------------------------------- making ready */

/* One sleeper that may run the task wakes up: one that takes any, else one that
   waits for it or for something above it.  */
static void wake_for(struct team *team, struct member *member, struct task *task)
{
  for (unsigned k = 1; k <= team->size; k++) {
    struct thread *thread = team->members[(member->number + k) % team->size].thread;
    if (thread != NULL && load_seq_cst(&thread->park) != AWAKE &&
        load_relaxed(&thread->park_for) == PARK_FOR_ANY_TASK) {
      ghcomp_parking_wake_slow(thread);
      return;
    }
  }
  for (unsigned i = 0; i < team->size; i++) {
    struct thread *thread = team->members[i].thread;
    if (thread == NULL || load_seq_cst(&thread->park) == AWAKE)
      continue;
    struct task *waiting = load_relaxed(&thread->park_task);
    if (load_relaxed(&thread->park_for) == PARK_FOR_DESCENDANT && waiting != NULL &&
        is_descendant(task, waiting))
      ghcomp_parking_wake_slow(thread);
  }
}

static void insert_priority(struct team *team, struct task *task)
{
  ghcomp_lock_acquire(&team->priority_lock);
  struct task **link = &team->priority_list;
  while (*link != NULL && (*link)->priority >= task->priority)
    link = &(*link)->next;
  task->next = *link;
  *link = task;
  add_seq_cst(&team->priority_count, 1);
  ghcomp_lock_release(&team->priority_lock);
}

/* After the task can be seen: tell those that spin and those that sleep.  */
static void raise_hint(struct team *team)
{
  if (load_seq_cst(&team->hint) == 0)
    store_seq_cst(&team->hint, 1);
}

void ghcomp_task_make_ready(struct thread *self, struct task *task)
{
  struct team *team = task->team;
  struct member *member = self->member;
  bool inside = member->team == team;
  if (!inside || task->priority > 0)
    insert_priority(team, task);
  else
    ghcomp_deque_push(&member->deque, task);
  raise_hint(team);
  if (unlikely(load_seq_cst(&team->parked) != 0)) /* pairs with ghcomp_parking_prepare */
    wake_for(team, inside ? member : &team->members[0], task);
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

static void wait_for_event(struct thread *self, struct task *task)
{
  struct waiting w = ghcomp_parking_begin(self->member->team);
  struct task *current = self->member->task;
  while ((load_seq_cst(&task->detach) & DETACH_FULFILLED) == 0) {
    struct found other = find_task(self, current);
    if (other.task != NULL) {
      run_found(self, other);
      continue;
    }
    if (ghcomp_parking_spin(&w))
      continue;
    ghcomp_parking_prepare(self, self->member->team, PARK_FOR_DESCENDANT);
    if ((load_seq_cst(&task->detach) & DETACH_FULFILLED) == 0)
      ghcomp_parking_sleep(self);
    ghcomp_parking_finish(self, self->member->team);
  }
}

/* Undeferred: the creator runs it at once.  Nobody counts it, and when it
   leaves no children behind, nobody else ever sees the header.  */
static inline void end_undeferred(struct thread *self, struct task *task, struct task *parent)
{
  /* Pairs with the subtractions of children in drop_hold.  */
  if (likely(load_acquire(&task->references) == (TASK_HOLD | TASK_LIVE))) {
    return_header(self, task);
    return;
  }
  add_relaxed(&parent->references, TASK_HOLD);
  if ((sub_seq_cst(&task->references, TASK_HOLD | TASK_LIVE) >> 32) == 1) {
    return_header(self, task);
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
    wait_for_event(self, task);
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
    ghcomp_task_make_ready(self, task);
}

/* The creator runs a task at once when its deque holds `reserve` of them: tasks are for
   the others, and they have enough.  In a recursion that is true of nearly all tasks
   when a few are kept; where one thread produces for many others they empty the
   deque, and the reserve grows until they do not.  */
enum { FEWEST = 4, MOST_RESERVE = 256, CALM = 64 };

static void adjust_reserve(struct member *member, int64_t length)
{
  int64_t stolen = ghcomp_deque_stolen(&member->deque);
  if (stolen != member->stolen) {
    member->stolen = stolen;
    member->calm = 0;
    if (length == 0 && member->reserve < MOST_RESERVE)
      member->reserve *= 2;
  } else if (++member->calm == CALM) {
    member->calm = 0;
    member->reserve = member->reserve > 2 * FEWEST ? member->reserve / 2 : FEWEST;
  }
}

static inline bool others_have_enough(struct member *member)
{
  if (member->team->size == 1)
    return true;
  int64_t length = ghcomp_deque_length(&member->deque);
  if (length >= FEWEST && length >= member->reserve)
    return true;
  if (unlikely(member->reserve == 0))
    member->reserve = FEWEST;
  adjust_reserve(member, length);
  return false;
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
  if (deferrable && (parent->flags & TASK_FINAL) == 0 && !others_have_enough(member))
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
    task->next = self->free_tasks; /* as return_header does; but for the one taken above, ... */
    self->free_tasks = task;
    self->free_task_count++; /* ... the list is as long as it was: no need to look */
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
    return others_have_enough(member);
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
  while (member->team->size == 1 && run_descendant(self))
    ;
}

/* --------------------------------------------------------------------- waiting */

static uint32_t live_children(struct task *task)
{
  /* Pairs with drop_hold.  */
  return WAIT_COUNT((uint32_t)load_acquire(&task->references)) - 1;
}

/* Announced as PARK_FOR_DESCENDANT.  A thief that pauses may have passed by a
   descendant, whose creator does not tell again.  */
static void sleep_for_children(struct thread *self)
{
  if (self->steal_pause != 0)
    ghcomp_parking_sleep_for(self, self->steal_pause);
  else
    ghcomp_parking_sleep(self);
}

void ghcomp_task_wait(struct thread *self)
{
  struct task *current = self->member->task;
  struct team *team = self->member->team;
  struct waiting w = ghcomp_parking_begin(self->member->team);
  while (live_children(current) != 0) {
    if (run_descendant(self)) {
      w = ghcomp_parking_begin(self->member->team);
      continue;
    }
    if (ghcomp_parking_spin(&w))
      continue;
    ghcomp_parking_prepare(self, team, PARK_FOR_DESCENDANT);
    or_seq_cst(&current->references, WAIT_FLAG); /* pairs with drop_hold */
    struct found found = {NULL, false};
    if (live_children(current) != 0 && (found = find_task(self, current)).task == NULL)
      sleep_for_children(self);
    ghcomp_parking_finish(self, team);
    and_seq_cst(&current->references, ~(uint64_t)WAIT_FLAG);
    if (found.task != NULL)
      run_found(self, found);
  }
}

void ghcomp_task_wait_count(struct thread *self, wait_count *count)
{
  struct task *current = self->member->task;
  struct team *team = self->member->team;
  struct waiting w = ghcomp_parking_begin(self->member->team);
  /* Pairs with ghcomp_parking_count_down.  */
  while (WAIT_COUNT(load_acquire(count)) != 1) {
    if (run_descendant(self)) {
      w = ghcomp_parking_begin(self->member->team);
      continue;
    }
    if (ghcomp_parking_spin(&w))
      continue;
    ghcomp_parking_prepare(self, team, PARK_FOR_DESCENDANT);
    or_seq_cst(count, WAIT_FLAG);
    struct found found = {NULL, false};
    if (WAIT_COUNT(load_seq_cst(count)) != 1 && (found = find_task(self, current)).task == NULL)
      sleep_for_children(self);
    ghcomp_parking_finish(self, team);
    and_seq_cst(count, ~WAIT_FLAG);
    if (found.task != NULL)
      run_found(self, found);
  }
}

void ghcomp_task_wait_depend(void **depend)
{
  struct thread *self = ghcomp_self();
  if (self->member->task->children == NULL)
    return;
  struct depend_node *node = ghcomp_depend_predecessors(self, depend);
  if (node == NULL)
    return;
  ghcomp_task_wait_count(self, ghcomp_depend_count(node));
  ghcomp_depend_drop(node);
}

void ghcomp_task_yield(struct thread *self)
{
  struct team *team = self->member->team;
  if (load_relaxed(&team->tasking))
    run_descendant(self);
}
