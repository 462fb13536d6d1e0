/* Tasks of Haskell: each worker of a task group has two deques, with their elements on the Haskell side: one of tasks that were
   spawned, and one of second actions of `both`.

   The deque is the one of task/deque.md, which gives away positions.  Closures move in a garbage
   collection, so they are in a Haskell array, at the position modulo its length.  A thief reads the
   element before it takes the position, and the owner does not write over a position that has not
   been taken.

   A task group is a loop context (Loop.h) whose job is "execute tasks until there are none".
   Helpers enter and leave as for a loop.  A helper that finds no task for a while leaves, so that
   it does not hold a Capability without need.

   Invariants: what a second action has pushed to its worker's deque of second actions is gone when it ends.  A worker begins a task
   only while that deque is empty: its own are above, or were stolen.  So while a second action is executed, that deque holds only
   what descends from it, and the thread that waits for it may take that (ghcomp_task_wait_for_thief): what it executes while it
   may hold locks is part of what it waits for.

   The group is over when the owner has found that as many tasks are done as were
   created.  `done` is read first (team/barrier.md has the reason); that load also acquires the
   creation of the tasks that are done.  */
#include "Loop.h"

#include "Capability.h"

enum task_kind { SPAWNED, SECOND };

void ghcomp_task_begin_group(struct loop_context *context)
{
  store_relaxed(&context->news_from_outside, 0);
  store_relaxed(&context->done_by_guests, 0);
  for (unsigned i = 0; i < context->parts.count; i++) {
    struct loop_worker *worker = &context->worker[i];
    ghcomp_deque_reset(&worker->deque[SPAWNED]);
    ghcomp_deque_reset(&worker->deque[SECOND]);
    store_relaxed(&worker->created, 0);
    store_relaxed(&worker->done, 0);
  }
}

/* The owner of the group calls back helpers that left because there was no task.  Only the owner
   can be without helpers: any other worker that pushes attends itself.  */
static void call_back(struct loop_context *context, uint64_t created)
{
  if (context->parts.count > 1 && created % 16 == 1 &&
      (uint32_t)load_relaxed(&context->attending) == 0)
    ghcomp_loop_call_helpers(context, context->parts.count - 1);
}

/* -------------------------------------------------------------------- waiting */

static bool any_waits(struct loop_context *context, bool second_actions)
{
  for (unsigned i = 0; i < context->parts.count; i++)
    if (ghcomp_deque_oldest(&context->worker[i].deque[SPAWNED]) != DEQUE_NONE ||
        (second_actions && ghcomp_deque_oldest(&context->worker[i].deque[SECOND]) != DEQUE_NONE))
      return true;
  return false;
}

bool ghcomp_task_any_waits(struct loop_context *context)
{
  return any_waits(context, true);
}

static bool group_has_ended(const struct loop_context *context)
{
  return (load_relaxed(&context->state) & STATE_CLOSED) != 0 || load_relaxed(&context->cancelled);
}

struct news_wait {
  struct wait wait;
  struct loop_worker *worker;
  bool for_ends; /* the end of any task is news */
};

/* How much has happened so far, mod 2^32.  Relaxed: a thread that misses something then sleeps by a
   protocol that misses nothing.  */
static uint32_t news_for(const struct news_wait *wait)
{
  const struct loop_context *context = wait->worker->context;
  uint64_t news = load_relaxed(&context->news_from_outside);
  for (unsigned i = 0; wait->for_ends && i < context->parts.count; i++)
    news += load_relaxed(&context->worker[i].done);
  return (uint32_t)news;
}

/* Anything that happens after this look ends the worker's next wait, even if it looks for tasks in
   between.  */
static inline bool is_there_news(struct wait *wait)
{
  const struct news_wait *for_news = (struct news_wait *)wait;
  struct loop_worker *worker = for_news->worker;
  uint32_t news = news_for(for_news);
  if (news == worker->news_seen && !ghcomp_task_any_waits(worker->context) && !group_has_ended(worker->context))
    return false;
  worker->news_seen = news;
  return true;
}

static const struct wait_kind until_news = {
    .is_over = is_there_news, .begin_spin = ghcomp_capability_begin_wait,
    .is_wanted = ghcomp_capability_is_wanted_of, .when_spent = THEN_GIVE_UP};

struct thief_wait {
  struct wait wait;
  struct loop_worker *thief;
  uint64_t ends;
};

static inline bool thief_has_news(struct wait *wait)
{
  const struct thief_wait *for_thief = (struct thief_wait *)wait;
  struct loop_worker *thief = for_thief->thief;
  return load_relaxed(&thief->done) != for_thief->ends || ghcomp_deque_oldest(&thief->deque[SECOND]) != DEQUE_NONE ||
         group_has_ended(thief->context);
}

static const struct wait_kind until_thief_has_news = {
    .is_over = thief_has_news, .begin_spin = ghcomp_capability_begin_wait,
    .is_wanted = ghcomp_capability_is_wanted_of, .when_spent = THEN_GIVE_UP};

/* Pauses between two looks, because each look takes cache lines from threads that work.  */
enum { PAUSES_PER_LOOK = 16 };

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

enum { NEWS_LOOK_AGAIN, NEWS_GIVE_WAY, NEWS_LEAVE, NEWS_NONE };

static int verdict(const struct loop_context *context, bool found)
{
  if (group_has_ended(context))
    return NEWS_LEAVE;
  if (found)
    return NEWS_LOOK_AGAIN;
  return ghcomp_capability_is_wanted() ? NEWS_GIVE_WAY : NEWS_NONE;
}

/* A worker that has found no task waits a little: for a task, for the end of any task (if
   `for_ends`), and for the end of the group.  */
int ghcomp_task_wait_for_news(struct loop_worker *worker, HsBool for_ends)
{
  struct news_wait news = {.wait = {.self = ghcomp_waiter_self, .pauses_per_look = PAUSES_PER_LOOK}, .worker = worker,
                           .for_ends = for_ends};
  return verdict(worker->context, ghcomp_wait(&until_news, &news.wait));
}

/* How many tasks the worker has ended.  */
uint64_t ghcomp_task_ends(const struct loop_worker *worker)
{
  return load_relaxed(&worker->done);
}

/* A thread whose second action `thief` executes waits a little: for what that action pushes, and for the end of any task of the
   thief since `ends`.  */
int ghcomp_task_wait_for_thief(struct loop_worker *thief, uint64_t ends)
{
  struct thief_wait wait = {.wait = {.self = ghcomp_waiter_self, .pauses_per_look = PAUSES_PER_LOOK}, .thief = thief, .ends = ends};
  return verdict(thief->context, ghcomp_wait(&until_thief_has_news, &wait.wait));
}

/* The group is this one of the loops that its context has executed.  */
int64_t ghcomp_task_group_number(const struct loop_worker *worker)
{
  return load_relaxed(&worker->context->watch) >> 1;
}

enum { ENTERED_NOTHING, ENTERED, ENTERED_ANOTHER_LOOP };

/* A thread that has no worker enters the task group, or another loop that the context executes now.  While it is inside, no other loop
   begins there.  */
int ghcomp_task_enter_group(struct loop_worker *worker, int64_t number)
{
  if (!ghcomp_loop_enter_as_guest(worker->context))
    return ENTERED_NOTHING;
  return ghcomp_task_group_number(worker) == number ? ENTERED : ENTERED_ANOTHER_LOOP;
}

HsBool ghcomp_task_waits(struct loop_worker *worker, HsBool second_actions)
{
  return any_waits(worker->context, second_actions);
}

/* ------------------------------------------------------------------ the deque */

/* Called by: the owner.  The position for the element, which is written before ghcomp_task_push;
   -1: `capacity` tasks wait already.  */
int64_t ghcomp_task_room(struct loop_worker *worker, int kind, int64_t capacity)
{
  return ghcomp_deque_free_position(&worker->deque[kind], capacity);
}

/* What ghcomp_task_push returns.  */
enum { PUSH_WAKE_OWNER = 1, PUSH_WATCH_AGAIN = 2 };

static int watch_again(const struct loop_context *context)
{
  return ghcomp_loop_is_settled(context) ? PUSH_WATCH_AGAIN : 0; /* pairs with ghcomp_watch_settle_group */
}

/* A thread that is not a member has created a task, or the last such task has ended: the Haskell side has noted it by a read-modify-write.
   Returns what ghcomp_task_push does.  */
int ghcomp_task_tell(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  add_relaxed(&context->news_from_outside, 1);
  /* Relaxed: the owner has stored this before it looks at that note, by a read-modify-write, too (haskell_outside.c).  The later one of
     the two sees what was before the earlier one.  */
  return (load_relaxed(&context->sleeping) ? PUSH_WAKE_OWNER : 0) | watch_again(context);
}

/* PUSH_WAKE_OWNER: the owner of the group sleeps.  Either it sees the task before it
   sleeps, or it is seen asleep; the owner itself is awake, and sees what it does.  After the group's body the owner is the thread that
   serves in its seat.  */
int ghcomp_task_push(struct loop_worker *worker, int kind)
{
  struct deque *deque = &worker->deque[kind];
  uint64_t created = load_relaxed(&worker->created) + 1;
  int64_t position = load_relaxed(&deque->bottom);
  store_relaxed(&worker->created, created);
  if (worker->number == 0) {
    ghcomp_deque_offer_quietly(deque, position);
    call_back(worker->context, created);
    return watch_again(worker->context);
  }
  ghcomp_deque_offer(deque, position);
  /* The load pairs with ghcomp_task_will_sleep.  */
  return (load_seq_cst(&worker->context->sleeping) ? PUSH_WAKE_OWNER : 0) | watch_again(worker->context);
}

enum { POP_STOP = -2 };

/* Called by: the owner.  The position of the youngest spawned task, which is now the caller's; or DEQUE_NONE; or POP_STOP: no
   further task may begin.  */
int64_t ghcomp_task_pop(struct loop_worker *worker)
{
  if (load_relaxed(&worker->context->cancelled))
    return POP_STOP;
  int64_t youngest = ghcomp_deque_youngest(&worker->deque[SPAWNED]);
  bool mine = youngest != DEQUE_NONE && ghcomp_deque_claim_youngest(&worker->deque[SPAWNED], youngest);
  return mine ? youngest : DEQUE_NONE;
}

/* Called by: the owner.  True: the second action at `position`, the youngest, is the caller's again, and counts as done.  False: it
   was stolen.  The caller is in a task that is not done, so the group is not over, and the end of that task wakes the group's
   owner.  */
HsBool ghcomp_task_take_back(struct loop_worker *worker, int64_t position)
{
  if (ghcomp_deque_youngest(&worker->deque[SECOND]) != position ||
      !ghcomp_deque_claim_youngest(&worker->deque[SECOND], position))
    return false;
  /* Pairs with the loads in ghcomp_task_is_over.  */
  store_release(&worker->done, load_relaxed(&worker->done) + 1);
  return true;
}

/* Called by: a thief.  The position of the oldest task, which is not the caller's yet; or
   DEQUE_NONE.  */
int64_t ghcomp_task_look(struct loop_worker *victim, int kind)
{
  return ghcomp_deque_oldest(&victim->deque[kind]);
}

HsBool ghcomp_task_steal(struct loop_worker *victim, int kind, int64_t position)
{
  return ghcomp_deque_claim_oldest(&victim->deque[kind], position);
}

/* ------------------------------------------------------------ the end of the group */

/* A task's body has returned.  Sequentially consistent, so that either the owner of the group sees
   this before it sleeps, or this thread sees that the owner sleeps.  True: wake the owner.  */
HsBool ghcomp_task_done(struct loop_worker *worker)
{
  uint64_t done = load_relaxed(&worker->done) + 1;
  if (worker->number == 0) {
    store_relaxed(&worker->done, done); /* only the owner asks whether the group is over */
    return false;
  }
  store_seq_cst(&worker->done, done); /* pairs with the loads in ghcomp_task_is_over */
  return load_seq_cst(&worker->context->sleeping); /* pairs with ghcomp_task_will_sleep */
}

/* A guest has executed a task of a deque.  True: wake the owner.  */
HsBool ghcomp_task_done_by_guest(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  add_seq_cst(&context->done_by_guests, 1); /* pairs with the load in ghcomp_task_is_over */
  return load_seq_cst(&context->sleeping); /* pairs with ghcomp_task_will_sleep */
}

/* True: as many tasks are done as were created, or no further task may begin.  */
HsBool ghcomp_task_is_over(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  uint64_t done = 0, created = 0;
  if (load_relaxed(&context->cancelled))
    return true;
  done += load_seq_cst(&context->done_by_guests);
  for (unsigned i = 0; i < context->parts.count; i++)
    done += load_seq_cst(&context->worker[i].done);
  for (unsigned i = 0; i < context->parts.count; i++)
    created += load_relaxed(&context->worker[i].created);
  return done == created;
}

/* True: there is nothing to do at the moment, and the owner of the group will sleep until a task is
   done or created.  After the sleep it calls ghcomp_task_awake.  */
HsBool ghcomp_task_will_sleep(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  store_seq_cst(&context->sleeping, true); /* pairs with ghcomp_task_push and ghcomp_task_done */
  return !ghcomp_task_is_over(worker) && !ghcomp_task_any_waits(context);
}

void ghcomp_task_awake(struct loop_worker *worker)
{
  store_relaxed(&worker->context->sleeping, false);
}

/* The number of a Haskell thread.  No other thread ever has the same number.  */
int64_t ghcomp_task_thread(StgPtr thread)
{
  return (int64_t)rts_getThreadId(thread);
}

int64_t ghcomp_task_number(const struct loop_worker *worker)
{
  return worker->number;
}

/* A worker of the same group.  */
struct loop_worker *ghcomp_task_worker(struct loop_worker *worker, int64_t number)
{
  return &worker->context->worker[number];
}

#pragma GCC visibility pop
