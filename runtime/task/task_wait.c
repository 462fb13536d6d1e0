#include "task/task_wait.h"

#include "state/thread.h"
#include "task/children.h"
#include "task/depend.h"
#include "task/deque.h"
#include "task/search.h"
#include "task/stack.h"
#include "task/steal.h"
#include "task/task.h"
#include "task/taskgroup.h"
#include "wait/loop.h"

/* --------------------------------------------------------------- running others */

static __attribute__((noinline)) void tell_others(struct thread *self)
{
  self->tasks.tells_others = false;
  ghcomp_search_end(self);
  if (self->tasks.may_have_been_woken)
    ghcomp_ready_pass_on(self);
}

static void run_found(struct thread *self, struct found found)
{
  if (unlikely(self->tasks.tells_others))
    tell_others(self);
  if (found.stolen == 0) {
    ghcomp_task_run(self, found.task);
    return;
  }
  uint64_t began = cycles_now();
  ghcomp_task_run(self, found.task);
  ghcomp_thief_judge(self, began, found.stolen);
}

bool ghcomp_task_run_any(struct thread *self)
{
  struct found found = ghcomp_ready_find(self, NULL, NULL, NULL);
  if (found.task != NULL)
    run_found(self, found);
  else
    ghcomp_ready_note_none(self);
  return found.task != NULL;
}

struct phase_end {
  const _Atomic uint32_t *phase;
  uint32_t now;
};

static bool phase_has_ended(const void *what)
{
  const struct phase_end *end = what;
  return load_relaxed(end->phase) != end->now;
}

bool ghcomp_task_run_any_while(struct thread *self, const _Atomic uint32_t *phase, uint32_t now)
{
  const struct phase_end end = {phase, now};
  struct found found = ghcomp_ready_find(self, NULL, phase_has_ended, &end);
  /* Relaxed: the creator of the task saw the change before it made the task ready, and this thread has acquired the task.  */
  bool ended = phase_has_ended(&end);
  if (found.task == NULL) {
    if (!ended)
      ghcomp_ready_note_none(self);
    return false;
  }
  if (unlikely(ended)) {
    ghcomp_ready_put(self, found.task);
    return false;
  }
  run_found(self, found);
  return true;
}

bool ghcomp_task_run_descendant(struct thread *self)
{
  struct found found = ghcomp_ready_find(self, self->member->task, NULL, NULL);
  if (found.task == NULL)
    return false;
  run_found(self, found);
  return true;
}

void ghcomp_task_yield(struct thread *self)
{
  struct task *task = self->member->task;
  if (unlikely((task->flags & TASK_IN_PARTS) != 0))
    task->flags |= TASK_YIELDED;
  if (load_relaxed(&self->member->team->any_deferred) && !ghcomp_stack_is_deep(self->member))
    ghcomp_task_run_descendant(self);
}

/* --------------------------------------------------------------------- sleeping */

/* A thief that pauses has not looked.  It may have missed a task whose creator does not tell again,
   so its sleep ends with the pause.  */
static void sleep_or_pause(struct thread *self)
{
  if (self->tasks.steal_pause != 0)
    ghcomp_parking_sleep_for(&self->waiter, self->tasks.steal_pause);
  else
    ghcomp_parking_sleep(&self->waiter);
}

void ghcomp_task_prepare_sleep(struct thread *self, struct crew *crew)
{
  ghcomp_thief_end_pause(self);
  ghcomp_search_end(self);
  self->tasks.may_have_been_woken = self->tasks.tells_others = self->tasks.looks_itself = true;
  ghcomp_parking_prepare(&self->waiter, crew, self->tasks.steal_pause != 0 ? PARK_FOR_NOTHING : PARK_FOR_ANY_TASK);
}

void ghcomp_task_sleep_unless(struct thread *self, bool available)
{
  if (self->tasks.steal_pause != 0 || !available)
    sleep_or_pause(self);
}

/* ---------------------------------------------------------------------- waiting */

enum goal_kind { CHILDREN_COMPLETE, FEWER_CHILDREN, COUNT_AT_ONE, EVENT_FULFILLED };

struct goal {
  enum goal_kind kind;
  struct task *task; /* whose children, or whose event */
  uint32_t awaited_children; /* how many of them must be complete */
  wait_count *count;
};

static inline uint32_t complete_children(struct task *task)
{
  /* Relaxed: after a wait for all of them ghcomp_children_forget acquires what they did.  */
  return WAIT_COUNT((uint32_t)load_relaxed(&task->from_children));
}

static inline bool is_reached(struct goal goal)
{
  switch (goal.kind) {
  case CHILDREN_COMPLETE:
    return complete_children(goal.task) == goal.awaited_children;
  case FEWER_CHILDREN: /* or all wait for an event that the creator may fulfill */
    return (int32_t)(complete_children(goal.task) - goal.awaited_children) >= 0 ||
           load_seq_cst(&goal.task->team->tasks.events_awaited) != 0; /* pairs with ghcomp_task_await_event */
  case COUNT_AT_ONE: /* pairs with ghcomp_parking_count_down */
    return WAIT_COUNT(load_acquire(goal.count)) == 1;
  default: /* pairs with ghcomp_task_fulfill_undeferred */
    return (load_seq_cst(&goal.task->detach) & DETACH_FULFILLED) != 0;
  }
}

/* A thread that counts down wakes the waiter only if the flag is set.  A thread that fulfills an
   event always does.  The flag releases the announcement in `park` to the thread that counts
   down.  */
static inline void flag(struct goal goal)
{
  if (goal.kind <= FEWER_CHILDREN) {
    store_relaxed(&goal.task->awaited_children, goal.awaited_children); /* released with the flag */
    or_release(&goal.task->from_children, WAIT_FLAG);
  } else if (goal.kind == COUNT_AT_ONE)
    or_release(goal.count, WAIT_FLAG);
}

static inline void unflag(struct goal goal)
{
  if (goal.kind <= FEWER_CHILDREN)
    and_relaxed(&goal.task->from_children, ~(uint64_t)WAIT_FLAG);
  else if (goal.kind == COUNT_AT_ONE)
    and_relaxed(goal.count, ~WAIT_FLAG);
}

struct goal_wait {
  struct wait wait;
  struct thread *self;
  struct goal goal;
  unsigned looks_without_task;
  struct found found; /* by the look before the sleep */
  bool given_up;      /* in a forked child no other thread can reach the goal */
};

static inline bool goal_is_reached(struct wait *wait)
{
  struct goal_wait *g = (struct goal_wait *)wait;
  return g->given_up || is_reached(g->goal);
}

static bool children_are_complete(const void *task)
{
  return ghcomp_children_are_complete(task);
}

static bool count_is_at_one(const void *count)
{
  return WAIT_COUNT(load_relaxed((const wait_count *)count)) == 1;
}

/* A descendant of the current task.  The search ends when the goal is reached.  */
static inline struct found find_until(struct thread *self, const struct goal *goal)
{
  struct task *task = self->member->task;
  if (goal->kind == CHILDREN_COMPLETE)
    return ghcomp_ready_find(self, task, children_are_complete, task);
  if (goal->kind == COUNT_AT_ONE)
    return ghcomp_ready_find(self, task, count_is_at_one, goal->count);
  return ghcomp_ready_find(self, task, NULL, NULL);
}

/* For a wait policy with which threads spin and never sleep.  */
enum { LOOKS_BEFORE_UNCOVERING = 4096 };

static inline bool run_one(struct wait *wait)
{
  struct goal_wait *g = (struct goal_wait *)wait;
  struct member *member = g->self->member;
  struct found found = find_until(g->self, &g->goal);
  if (found.task == NULL && ++g->looks_without_task % LOOKS_BEFORE_UNCOVERING == 0)
    found = ghcomp_ready_uncover(g->self);
  if (found.task != NULL)
    run_found(g->self, found);
  else
    g->given_up = unlikely(member->team->orphan != NULL) && g->goal.kind != EVENT_FULFILLED;
  return found.task != NULL || g->given_up;
}

static inline void announce_sleep(struct wait *wait)
{
  struct goal_wait *g = (struct goal_wait *)wait;
  ghcomp_thief_end_pause(g->self);
  store_release(&wait->self->park_task, g->self->member->task); /* pairs with wake_for */
  ghcomp_parking_prepare(wait->self, wait->crew, PARK_FOR_DESCENDANT);
  flag(g->goal);
}

static inline void sleep_unless_found(struct wait *wait)
{
  struct goal_wait *g = (struct goal_wait *)wait;
  g->found = ghcomp_ready_find(g->self, g->self->member->task, NULL, NULL);
  if (g->found.task == NULL)
    g->found = ghcomp_ready_uncover(g->self);
  if (g->found.task == NULL)
    sleep_or_pause(g->self);
}

static inline bool run_what_was_found(struct wait *wait)
{
  struct goal_wait *g = (struct goal_wait *)wait;
  struct found found = g->found;
  unflag(g->goal);
  if (found.task == NULL)
    return false;
  g->found.task = NULL;
  run_found(g->self, found);
  return true;
}

static const struct wait_kind until_goal = {
    .is_over = goal_is_reached, .do_other = run_one, .announce = announce_sleep,
    .sleep = sleep_unless_found, .after_sleep = run_what_was_found};

static inline __attribute__((always_inline)) void wait_until(struct thread *self, struct goal goal)
{
  struct team *team = self->member->team;
  if (is_reached(goal))
    return;
  struct goal_wait g = {.wait = {.self = &self->waiter, .crew = &team->crew, .has_processors = ghcomp_team_has_processors(team)},
                        .self = self, .goal = goal};
  ghcomp_wait(&until_goal, &g.wait);
}

void ghcomp_task_wait(struct thread *self)
{
  struct task *task = self->member->task;
  if (task->created == 0)
    return;
  wait_until(self, (struct goal){.kind = CHILDREN_COMPLETE, .task = task,
                                 .awaited_children = task->created});
  if (unlikely(task->has_rare_fields)) /* perhaps a loop, whose tasks others create as children of ranges */
    ghcomp_taskloop_wait(self);
  ghcomp_children_forget(task);
}

bool ghcomp_task_has_many(const struct thread *self)
{
  const struct member *member = self->member;
  struct task *task = member->task;
  uint32_t most = MOST_OUTSTANDING_EACH * member->team->size;
  if (most < MOST_OUTSTANDING)
    most = MOST_OUTSTANDING;
  return task->created - complete_children(task) >= most;
}

void ghcomp_task_wait_for_fewer(struct thread *self)
{
  struct task *task = self->member->task;
  while (ghcomp_task_has_many(self) && ghcomp_task_run_descendant(self))
    ;
  /* A quarter fewer, so that the thread need not sleep again at once.  */
  uint32_t outstanding = task->created - complete_children(task);
  if (ghcomp_task_has_many(self))
    wait_until(self, (struct goal){.kind = FEWER_CHILDREN, .task = task,
                                   .awaited_children = task->created - outstanding / 4 * 3});
}

void ghcomp_task_wait_count(struct thread *self, wait_count *count)
{
  wait_until(self, (struct goal){.kind = COUNT_AT_ONE, .count = count});
}

void ghcomp_task_await_event(struct team *team)
{
  add_seq_cst(&team->tasks.events_awaited, 1); /* pairs with the load in is_reached */
  ghcomp_parking_wake_crew(&team->crew);
}

void ghcomp_task_wait_event(struct thread *self, struct task *task)
{
  struct team *team = task->team;
  ghcomp_task_await_event(team);
  wait_until(self, (struct goal){.kind = EVENT_FULFILLED, .task = task});
  sub_relaxed(&team->tasks.events_awaited, 1);
}

void ghcomp_task_wait_depend(struct thread *self, void **depend)
{
  if (self->member->task->child_dependences == NULL)
    return;
  struct depend_node *node = ghcomp_depend_predecessors(self, depend);
  if (node == NULL)
    return;
  ghcomp_task_wait_count(self, &node->predecessors_left);
  ghcomp_depend_node_drop(node);
}
