/* Tasks of Haskell: a deque for each worker of a task group, with its elements on the Haskell side.

   The deque is that of task/deque.md (Chase and Lev), except for its elements.  Closures move in a
   garbage collection, so they are in a Haskell array, at the position modulo the array's length.
   Only the two ends of the deque are here.  A thief reads the element before it takes the position,
   and the owner does not write over a position that has not been taken.

   A task group is a loop context (Loop.h) whose job is "execute tasks until there are none".
   Helpers enter and leave as for a loop.  A helper that finds no task for a while leaves, so that
   it does not hold a Capability without need.

   Invariant: the group is over when the owner has found that as many tasks are done as were
   created.  `done` is read first (team/barrier.md has the reason); that load also acquires the
   creation of the tasks that are done.  */
#include "Loop.h"

#include <Rts.h>

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

enum { TASK_NONE = -1, TASK_STOP = -2 };

/* Called by: the owner.  The position for the element, which is written before ghcomp_task_push;
   -1: `capacity` tasks wait already.  */
int64_t ghcomp_task_room(struct loop_worker *worker, int64_t capacity)
{
  int64_t bottom = load_relaxed(&worker->bottom);
  return bottom - load_acquire(&worker->top) < capacity ? bottom : -1;
}

/* The owner of the group calls back helpers that left because there was no task.  Only the owner
   can be without helpers: any other worker that pushes attends itself.  */
static void call_back(struct loop_context *context, uint64_t created)
{
  if (context->parts > 1 && created % 16 == 1 &&
      (uint32_t)load_relaxed(&context->attending) == 0)
    ghcomp_loop_call_helpers(context, context->parts - 1);
}

/* True: the owner of the group sleeps, and must be woken.  */
HsBool ghcomp_task_push(struct loop_worker *worker)
{
  uint64_t created = load_relaxed(&worker->created) + 1;
  store_relaxed(&worker->created, created);
  /* Pairs with the load in ghcomp_task_look, which sees the element.  Also, either the owner of the
     group sees the task before it sleeps, or this thread sees that the owner sleeps.  (If this
     thread is the owner, it is awake.)  */
  int64_t bottom = load_relaxed(&worker->bottom) + 1;
  if (worker->number == 0) {
    store_release(&worker->bottom, bottom);
    call_back(worker->context, created);
    return false;
  }
  store_seq_cst(&worker->bottom, bottom);
  return load_seq_cst(&worker->context->sleeping); /* pairs with ghcomp_task_will_sleep */
}

/* Called by: the owner.  The position of the youngest task, which is now the caller's; or
   TASK_NONE.  */
int64_t ghcomp_task_pop_rest(struct loop_worker *worker)
{
  int64_t bottom = load_relaxed(&worker->bottom) - 1;
  if (load_relaxed(&worker->top) > bottom)
    return TASK_NONE;
  store_seq_cst(&worker->bottom, bottom); /* before `top` is read: see deque.md */
  int64_t top = load_seq_cst(&worker->top);
  if (top < bottom)
    return bottom;
  /* Decides between the owner and thieves, and releases `bottom`: a thief that reads the new `top`
     reads no older `bottom`.  */
  bool mine = top == bottom && cas_release(&worker->top, &top, top + 1);
  store_relaxed(&worker->bottom, bottom + 1);
  return mine ? bottom : TASK_NONE;
}

/* The same; or TASK_STOP: no further task may begin.  */
int64_t ghcomp_task_pop(struct loop_worker *worker)
{
  return load_relaxed(&worker->context->cancelled) ? TASK_STOP : ghcomp_task_pop_rest(worker);
}

/* Called by: the owner.  True: the youngest task is the one at `position`; it is the caller's
   again, and counts as done.  The caller is in a task that is not done, so the group is not over,
   and the end of that task wakes the group's owner.  */
HsBool ghcomp_task_take_back(struct loop_worker *worker, int64_t position)
{
  if (load_relaxed(&worker->bottom) != position + 1 || ghcomp_task_pop(worker) != position)
    return false;
  /* Pairs with the loads in ghcomp_task_is_over.  */
  store_release(&worker->done, load_relaxed(&worker->done) + 1);
  return true;
}

/* Called by: a thief.  The position of the oldest task, which is not the caller's yet; or
   TASK_NONE.  */
int64_t ghcomp_task_look(struct loop_worker *victim)
{
  int64_t top = load_seq_cst(&victim->top);
  return top < load_seq_cst(&victim->bottom) ? top : TASK_NONE; /* pairs with ghcomp_task_push */
}

HsBool ghcomp_task_steal(struct loop_worker *victim, int64_t top)
{
  return cas_seq_cst(&victim->top, &top, top + 1);
}

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

/* True: as many tasks are done as were created, or no further task may begin.  */
HsBool ghcomp_task_is_over(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  uint64_t done = 0, created = 0;
  if (load_relaxed(&context->cancelled))
    return true;
  for (unsigned i = 0; i < context->parts; i++)
    done += load_seq_cst(&context->worker[i].done);
  for (unsigned i = 0; i < context->parts; i++)
    created += load_relaxed(&context->worker[i].created);
  return done == created;
}

static bool any_waits(struct loop_context *context)
{
  for (unsigned i = 0; i < context->parts; i++)
    if (ghcomp_task_look(&context->worker[i]) >= 0)
      return true;
  return false;
}

/* A worker that has found no task waits a little.  */
enum { TASK_LOOK_AGAIN, TASK_MAKE_ROOM, TASK_LEAVE };

int ghcomp_task_pause(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  if ((load_relaxed(&context->state) & LOOP_CLOSED) != 0 || load_relaxed(&context->cancelled))
    return TASK_LEAVE;
  if (ghcomp_loop_is_wanted_elsewhere())
    return TASK_MAKE_ROOM;
  for (unsigned i = 0; i < 16; i++)
    cpu_relax();
  return TASK_LOOK_AGAIN;
}

/* True: there is nothing to do at the moment, and the owner of the group will sleep until a task is
   done or created.  After the sleep it calls ghcomp_task_awake.  */
HsBool ghcomp_task_will_sleep(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  store_seq_cst(&context->sleeping, true); /* pairs with ghcomp_task_push and ghcomp_task_done */
  return !ghcomp_task_is_over(worker) && !any_waits(context);
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
