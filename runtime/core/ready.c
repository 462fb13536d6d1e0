#include "core/ready.h"

#include "core/deque.h"
#include "core/lock.h"
#include "core/parking.h"
#include "core/stats.h"
#include "core/thief.h"

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

/* ------------------------------------------------------------- finding a task */

static bool any_deque_has_one(struct team *team)
{
  for (unsigned i = 0; i < team->size; i++)
    if (!ghcomp_deque_is_empty(&team->members[i].deque))
      return true;
  return load_seq_cst(&team->priority_count) != 0;
}

void ghcomp_ready_note_none(struct thread *self)
{
  struct team *team = self->member->team;
  if (load_seq_cst(&team->hint) == 0 || ghcomp_thief_pauses(self) || any_deque_has_one(team))
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

struct found ghcomp_ready_find(struct thread *self, struct task *ancestor)
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
  if (task != NULL) {
    ghcomp_thief_note_steal(self, began);
    ghcomp_count(self, STAT_TASKS_STOLEN);
  }
  return (struct found){task, true};
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

static void push(struct thread *self, struct deque *deque, struct task *task)
{
  ghcomp_deque_push(deque, task);
  ghcomp_count_most(self, STAT_DEEPEST_QUEUE, (uint64_t)ghcomp_deque_length(deque));
}

void ghcomp_ready_put(struct thread *self, struct task *task)
{
  struct team *team = task->team;
  struct member *member = self->member;
  bool inside = member->team == team;
  if (!inside || task->priority > 0)
    insert_priority(team, task);
  else
    push(self, &member->deque, task);
  raise_hint(team);
  if (unlikely(load_seq_cst(&team->parked) != 0)) /* pairs with ghcomp_parking_prepare */
    wake_for(team, inside ? member : &team->members[0], task);
}
