#include "task/deque.h"

#include "base/stats.h"
#include "machine/processors.h"
#include "state/thread.h"
#include "task/lineage.h"
#include "task/search.h"
#include "task/steal.h"
#include "wait/parking.h"

/* ------------------------------------------------------------- finding a task */

static bool any_deque_has_one(struct team *team)
{
  for (unsigned i = 0; i < team->size; i++)
    if (!ghcomp_deque_is_empty(&team->members[i].deque))
      return true;
  return load_seq_cst(&team->tasks.queued) != 0;
}

/* NULL: any task is accepted; otherwise says whether the task descends from the ancestor.  */
typedef bool (*acceptance)(struct task *task, struct task *ancestor);

static acceptance accept_for(const struct task *ancestor)
{
  return ancestor != NULL ? ghcomp_lineage_descends : NULL;
}

/* The oldest task, or, if that may not run here, the second youngest.  If each task leaves others
   behind and creates its successor last, the second youngest is one of the others.  */
static struct task *take_other(struct thread *self, struct deque *deque, struct task *ancestor)
{
  acceptance accept = accept_for(ancestor);
  struct task *task = ghcomp_deque_take_oldest(deque, accept, ancestor);
  struct task *youngest = task == NULL ? ghcomp_deque_take(deque, accept, ancestor) : NULL;
  if (youngest == NULL)
    return task;
  task = ghcomp_deque_take(deque, accept, ancestor);
  if (task == NULL)
    return youngest;
  ghcomp_ready_put(self, youngest);
  return task;
}

/* A task of the highest priority, or the youngest of the thread's own, whose data are warm.  If
   very many tasks are left, another: otherwise new tasks of the first two kinds could keep the
   oldest ones waiting for ever.  A priority is only a recommendation (5.2, 12.4).  So too if
   the youngest has just yielded.  */
static struct task *take_own(struct thread *self, struct task *ancestor)
{
  struct member *member = self->member;
  struct deque *deque = &member->deque;
  struct task *task = NULL;
  if (unlikely(ghcomp_deque_length(deque) > (member->tasks.youngest_yielded ? 0 : UNUSUAL_LENGTH))) {
    task = take_other(self, deque, ancestor);
    member->tasks.youngest_yielded = false;
  }
  if (task == NULL)
    task = ghcomp_priority_take(member->team, accept_for(ancestor), ancestor);
  return task != NULL ? task : ghcomp_deque_take(deque, accept_for(ancestor), ancestor);
}

/* Of a large team many look for tasks at once.  Whoever comes to a deque with many takes some for its group, too.  */
static struct found steal_batch(struct thread *self, struct deque *deque)
{
  struct task *batch[BATCH_MOST];
  int n = ghcomp_deque_steal_batch(deque, batch);
  if (n == BATCH_LOST)
    ghcomp_thief_loses(self);
  if (n <= 0)
    return (struct found){NULL, 0};
  self->tasks.losses = 0;
  for (int i = 1; i < n; i++)
    ghcomp_ready_put(self, batch[i]);
  return (struct found){batch[0], (unsigned)n};
}

static struct found steal_from(struct thread *self, struct deque *deque, struct task *ancestor)
{
  if (unlikely(ghcomp_search_is_by_groups(self->member)) && ancestor == NULL)
    return steal_batch(self, deque);
  return (struct found){ghcomp_deque_steal(deque, accept_for(ancestor), ancestor), 1};
}

static struct found steal(struct thread *self, struct task *ancestor, bool (*has_come)(const void *), const void *awaited)
{
  struct member *member = self->member;
  struct team *team = member->team;
  unsigned victim = self->tasks.victim;
  self->tasks.met_others = false;
  for (unsigned left = team->size - 1; left != 0; victim++) {
    if (victim >= team->size)
      victim = 0;
    if (victim == member->number)
      continue;
    struct found found = steal_from(self, &team->members[victim].deque, ancestor);
    if (found.task != NULL) {
      self->tasks.victim = victim;
      return found;
    }
    if (--left != 0 && has_come != NULL && has_come(awaited))
      break;
  }
  if (!self->tasks.met_others)
    self->tasks.losses = 0;
  return (struct found){NULL, 0};
}

struct found ghcomp_ready_find(struct thread *self, struct task *ancestor, bool (*has_come)(const void *), const void *awaited)
{
  struct member *member = self->member;
  struct team *team = member->team;
  struct task *task = take_own(self, ancestor);
  /* Relaxed: before a thread sleeps it looks again, at the hint or at the deques.  */
  if (task != NULL || load_relaxed(&team->ready_hint) == 0 || ghcomp_thief_pauses(self))
    return (struct found){task, 0};
  uint64_t began = cycles_now();
  struct found found = steal(self, ancestor, has_come, awaited);
  if (found.task != NULL) {
    ghcomp_thief_note_steal(self, began);
    ghcomp_count_more(&self->waiter.counters, STAT_TASKS_STOLEN, found.stolen);
  }
  return found;
}

/* Takes tasks off one end of the deque until a descendant comes.  The others go to the queues,
   where they hide no task.  */
static struct task *uncover(struct thread *self, struct deque *deque, struct task *ancestor)
{
  bool own = deque == &self->member->deque;
  while (ghcomp_deque_holds(deque, ghcomp_lineage_descends, ancestor)) {
    struct task *task =
        own ? ghcomp_deque_take(deque, NULL, NULL) : ghcomp_deque_steal(deque, NULL, NULL);
    if (task == NULL)
      continue; /* another thread was faster, so the deque holds fewer */
    if (ghcomp_lineage_descends(task, ancestor))
      return task;
    ghcomp_ready_put_aside(self, task);
  }
  return NULL;
}

struct found ghcomp_ready_uncover(struct thread *self)
{
  struct member *member = self->member;
  struct team *team = member->team;
  for (unsigned i = 0; i < team->size; i++) {
    unsigned victim = (member->number + i) % team->size;
    struct task *task = uncover(self, &team->members[victim].deque, member->task);
    if (task != NULL)
      return (struct found){task, victim != member->number ? 1 : 0};
  }
  return (struct found){NULL, 0};
}

/* --------------------------------------------------------------- making ready */

/* So many sleepers at most are called at once: as many as there are processors besides those of the awake members, and one at least.
   Of more threads than processors each would take one task and sleep again.  */
static int most_called(const struct team *team)
{
  int awake = (int)team->size - (int)load_relaxed(&team->crew.parked);
  int processors = (int)ghcomp_machine_processors() - awake;
  return processors > 1 ? processors : 1;
}

/* Calls one sleeper that may execute any task, unless enough have been called that have not looked yet: they will see the task.
   False: there is none.  */
static bool call_one(struct team *team, struct member *member)
{
  int left = most_called(team);
  for (unsigned k = 1; k <= team->size; k++) {
    struct thread *thread = team->members[(member->number + k) % team->size].thread;
    uint32_t state = thread != NULL ? load_seq_cst(&thread->waiter.park) : AWAKE; /* pairs with ghcomp_ready_pass_on */
    if (state == AWAKE || load_relaxed(&thread->waiter.park_for) != PARK_FOR_ANY_TASK)
      continue;
    if (state == CALLED ? --left == 0 : ghcomp_parking_call(&thread->waiter))
      return true;
  }
  return false;
}

/* For some task that is ready.  A thread that is woken and finds one wakes another for the next: ghcomp_ready_pass_on.  */
static void wake_another(struct team *team, struct member *member)
{
  if (!call_one(team, member))
    ghcomp_parking_wake_crew(&team->crew); /* they wait for certain tasks */
}

void ghcomp_ready_note_none(struct thread *self)
{
  struct team *team = self->member->team;
  if (load_relaxed(&team->ready_hint) == 0 || ghcomp_thief_pauses(self) || self->tasks.met_others || any_deque_has_one(team))
    return;
  swap_seq_cst(&team->ready_hint, 0); /* pairs with raise_hint: one of the two threads sees what the other
                                   has done */
  if (!any_deque_has_one(team))
    return;
  store_seq_cst(&team->ready_hint, 1);
  if (load_seq_cst(&team->crew.parked) != 0) /* because of the 0, beside several tasks; pairs with ghcomp_parking_prepare */
    wake_another(team, self->member);
}

/* If no sleeper may execute any task, wakes the threads that wait for the task or for an ancestor of it.
   Other loads are relaxed: the caller has seen `parked` above 0, and has acquired the announcement with it.  */
static void wake_for(struct team *team, struct member *member, struct task *task)
{
  if (call_one(team, member))
    return;
  for (unsigned i = 0; i < team->size; i++) {
    struct thread *thread = team->members[i].thread;
    if (thread == NULL || load_relaxed(&thread->waiter.park) == AWAKE)
      continue;
    struct task *waiting = load_acquire(&thread->waiter.park_task); /* its header may be new */
    if (load_relaxed(&thread->waiter.park_for) == PARK_FOR_DESCENDANT && waiting != NULL &&
        ghcomp_lineage_descends_in(team, task, waiting)) /* that thread may wait for another task by now */
      ghcomp_parking_wake_slow(&thread->waiter);
  }
}

/* A thread that has announced a sleep may look once more, find a task, and never look again, while the wake-up for another task
   goes to it.  Or it leaves its wait, because a thread that is ahead has made a task of the next phase or region ready.  So in both
   cases it looks whether there are others.  Either the thread that has made such a task ready sees this one awake, or this one sees
   the task.  */
void ghcomp_ready_pass_on(struct thread *self)
{
  struct team *team = self->member->team;
  self->tasks.may_have_been_woken = false;
  swap_seq_cst(&self->waiter.park, AWAKE); /* pairs with call_one */
  /* Relaxed: who announces a sleep from now on sees ready_hint.  */
  if (load_seq_cst(&team->ready_hint) != 0 && load_relaxed(&team->crew.parked) != 0 && any_deque_has_one(team)) /* pairs with raise_hint */
    wake_another(team, self->member);
}

/* Called after the task can be seen: tells spinning threads.  */
static void raise_hint(struct team *team)
{
  if (load_seq_cst(&team->ready_hint) == 0)
    store_seq_cst(&team->ready_hint, 1);
}

static void push(struct thread *self, struct deque *deque, struct task *task)
{
  ghcomp_deque_push(deque, task);
  if (unlikely(ghcomp_count_is_below(&self->waiter.counters, STAT_DEEPEST_QUEUE, (uint64_t)ghcomp_deque_length_seen(deque))))
    ghcomp_count_most(&self->waiter.counters, STAT_DEEPEST_QUEUE, (uint64_t)ghcomp_deque_look(deque));
}

/* The task can be seen: tells spinning and sleeping threads.  */
static void tell(struct team *team, struct member *from, struct task *task)
{
  raise_hint(team);
  if (unlikely(load_seq_cst(&team->crew.parked) != 0)) /* pairs with ghcomp_parking_prepare */
    wake_for(team, from, task);
}

void ghcomp_ready_put(struct thread *self, struct task *task)
{
  struct team *team = task->team;
  if (task->priority > 0)
    ghcomp_priority_put(team, task);
  else
    push(self, &self->member->deque, task);
  tell(team, self->member, task);
}

void ghcomp_ready_put_aside(struct thread *self, struct task *task)
{
  struct team *team = task->team;
  bool inside = self->member->team == team;
  ghcomp_priority_put(team, task);
  tell(team, inside ? self->member : &team->members[0], task);
}
