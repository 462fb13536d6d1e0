#include "core/task_wait.h"

#include "core/depend.h"
#include "core/parking.h"
#include "core/ready.h"
#include "core/task.h"
#include "core/thief.h"

/* --------------------------------------------------------------- running others */

static void run_found(struct thread *self, struct found found)
{
  if (!found.stolen) {
    ghcomp_task_run(self, found.task);
    return;
  }
  uint64_t began = cycles_now();
  ghcomp_task_run(self, found.task);
  ghcomp_thief_judge(self, began);
}

bool ghcomp_task_run_any(struct thread *self)
{
  struct found found = ghcomp_ready_find(self, NULL);
  if (found.task == NULL) {
    ghcomp_ready_note_none(self);
    return false;
  }
  run_found(self, found);
  return true;
}

bool ghcomp_task_run_descendant(struct thread *self)
{
  struct found found = ghcomp_ready_find(self, self->member->task);
  if (found.task == NULL)
    return false;
  run_found(self, found);
  return true;
}

void ghcomp_task_yield(struct thread *self)
{
  if (load_relaxed(&self->member->team->tasking))
    ghcomp_task_run_descendant(self);
}

/* --------------------------------------------------------------------- sleeping */

/* A thief that pauses has not looked, and may have passed by a task whose creator will
   not tell again: its sleep ends with the pause.  */
static void sleep_or_pause(struct thread *self)
{
  if (self->steal_pause != 0)
    ghcomp_parking_sleep_for(self, self->steal_pause);
  else
    ghcomp_parking_sleep(self);
}

void ghcomp_task_prepare_sleep(struct thread *self, struct team *team)
{
  ghcomp_thief_settle(self);
  ghcomp_parking_prepare(self, team, self->steal_pause != 0 ? PARK_FOR_NOTHING : PARK_FOR_ANY_TASK);
}

void ghcomp_task_sleep_unless(struct thread *self, bool available)
{
  if (self->steal_pause != 0 || !available)
    sleep_or_pause(self);
}

/* ---------------------------------------------------------------------- waiting */

enum goal_kind { CHILDREN_COMPLETE, COUNT_AT_ONE, EVENT_FULFILLED };

struct goal {
  enum goal_kind kind;
  struct task *task; /* whose children, or whose event */
  wait_count *count;
};

static inline bool is_reached(struct goal goal)
{
  switch (goal.kind) {
  case CHILDREN_COMPLETE: /* pairs with tell_parent */
    return WAIT_COUNT((uint32_t)load_seq_cst(&goal.task->told)) == goal.task->created;
  case COUNT_AT_ONE: /* pairs with ghcomp_parking_count_down */
    return WAIT_COUNT(load_seq_cst(goal.count)) == 1;
  default: /* pairs with ghcomp_task_fulfill */
    return (load_seq_cst(&goal.task->detach) & DETACH_FULFILLED) != 0;
  }
}

/* Who counts down wakes the waiter only if it said that it sleeps; who fulfills an
   event does so always.  */
static inline void flag(struct goal goal)
{
  if (goal.kind == CHILDREN_COMPLETE) {
    store_relaxed(&goal.task->target, goal.task->created); /* released with the flag */
    or_seq_cst(&goal.task->told, WAIT_FLAG);
  } else if (goal.kind == COUNT_AT_ONE)
    or_seq_cst(goal.count, WAIT_FLAG);
}

static inline void unflag(struct goal goal)
{
  if (goal.kind == CHILDREN_COMPLETE)
    and_seq_cst(&goal.task->told, ~(uint64_t)WAIT_FLAG);
  else if (goal.kind == COUNT_AT_ONE)
    and_seq_cst(goal.count, ~WAIT_FLAG);
}

/* Announces the sleep, looks once more, and sleeps if it finds nothing.  */
static inline struct found sleep_or_find(struct thread *self, struct goal goal)
{
  struct team *team = self->member->team;
  struct found found = {NULL, false};
  ghcomp_thief_settle(self);
  ghcomp_parking_prepare(self, team, PARK_FOR_DESCENDANT);
  flag(goal);
  if (!is_reached(goal)) {
    found = ghcomp_ready_find(self, self->member->task);
    if (found.task == NULL)
      sleep_or_pause(self);
  }
  ghcomp_parking_finish(self, team);
  unflag(goal);
  return found;
}

static inline __attribute__((always_inline)) void wait_until(struct thread *self, struct goal goal)
{
  struct team *team = self->member->team;
  struct waiting w = ghcomp_parking_begin(team);
  while (!is_reached(goal)) {
    struct found found = ghcomp_ready_find(self, self->member->task);
    if (found.task == NULL && unlikely(team->orphan != NULL) && goal.kind != EVENT_FULFILLED)
      return;
    if (found.task == NULL && ghcomp_parking_spin(&w))
      continue;
    if (found.task == NULL)
      found = sleep_or_find(self, goal);
    if (found.task != NULL) {
      run_found(self, found);
      w = ghcomp_parking_begin(team);
    }
  }
}

void ghcomp_task_wait(struct thread *self)
{
  struct task *task = self->member->task;
  if (task->created == 0)
    return;
  wait_until(self, (struct goal){.kind = CHILDREN_COMPLETE, .task = task});
  ghcomp_task_forget_children(task);
}

void ghcomp_task_wait_count(struct thread *self, wait_count *count)
{
  wait_until(self, (struct goal){.kind = COUNT_AT_ONE, .count = count});
}

void ghcomp_task_wait_event(struct thread *self, struct task *task)
{
  wait_until(self, (struct goal){.kind = EVENT_FULFILLED, .task = task});
}

void ghcomp_task_wait_depend(void **depend)
{
  struct thread *self = ghcomp_self();
  if (self->member->task->children == NULL)
    return;
  struct depend_node *node = ghcomp_depend_predecessors(self, depend);
  if (node == NULL)
    return;
  ghcomp_task_wait_count(self, &node->waiting);
  ghcomp_depend_node_drop(node);
}
