/* Whether a thread watches the loops that are being executed (GHC.OpenMP.Loop.Watch), and which loops there are to watch.

   Invariant: the watching thread sleeps only while no loop is to be watched.  Either a loop that begins sees that it sleeps, and
   wakes it, or the watching thread sees that the loop's context is in use before it sleeps.  */
#include "Loop.h"

#include "machine/thread.h"

#include <Rts.h>

enum watcher { WATCHER_ABSENT, WATCHER_ASLEEP, WATCHER_AWAKE };

static _Atomic uint32_t watcher;

void ghcomp_loop_needs_no_watch(struct loop_context *context)
{
  store_relaxed(&context->watch, load_relaxed(&context->watch) | WATCH_SETTLED);
}

/* If the watching thread settles the loop meanwhile, the next one is not settled all the same.  */
void ghcomp_loop_end_watch(struct loop_context *context)
{
  store_relaxed(&context->watch, (load_relaxed(&context->watch) | WATCH_SETTLED) + 1);
}

bool ghcomp_loop_lacks_watcher(const struct loop_context *context)
{
  /* The load pairs with the store in ghcomp_watch_will_sleep: ghcomp_loop_take has taken the context out of the free ones.  */
  return (load_relaxed(&context->watch) & WATCH_SETTLED) == 0 && load_seq_cst(&watcher) != WATCHER_AWAKE;
}

/* In a forked child: the thread does not exist.  */
void ghcomp_loop_forget_watcher(void)
{
  store_relaxed(&watcher, WATCHER_ABSENT);
}

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* Returns whether the thread was WATCHER_ABSENT: the calling thread makes it; or WATCHER_ASLEEP: the calling thread wakes it.  */
int ghcomp_watch_wake(void)
{
  return (int)swap_relaxed(&watcher, WATCHER_AWAKE);
}

/* The next context after this one (NULL: the first one) whose loop is to be watched; NULL: there is no other.  */
struct loop_context *ghcomp_watch_next(const struct loop_context *context)
{
  struct loop_context *next = context == NULL ? ghcomp_loop_contexts() : context->next;
  while (next != NULL && (ghcomp_loop_is_settled(next) || ghcomp_loop_is_free(next)))
    next = next->next;
  return next;
}

int64_t ghcomp_watch_number(const struct loop_context *context)
{
  return load_relaxed(&context->watch);
}

/* How many threads are inside.  */
int64_t ghcomp_watch_inside(const struct loop_context *context)
{
  return load_relaxed(&context->state) & STATE_INSIDE;
}

/* The loop with this number needs no watching any more.  */
void ghcomp_watch_settle(struct loop_context *context, int64_t number)
{
  uint32_t seen = (uint32_t)number;
  cas_relaxed(&context->watch, &seen, seen | WATCH_SETTLED);
}

/* The task group with this number needs no watching until something is pushed, if the caller finds afterwards that no task waits.
   `owner` is the thread that serves as member 0, and `seat` has the number of that thread.  False: it is not blocked, or has left that
   seat, or the group is over.  A member that pushes later sees it (ghcomp_task_push): the owner, because it cannot go on before this
   call has returned, and the others because they push sequentially consistently.  */
HsBool ghcomp_watch_settle_group(struct loop_context *context, int64_t number, StgPtr owner, const int64_t *seat)
{
  uint32_t seen = (uint32_t)number;
  return ghcomp_loop_holds_still(owner) && *seat == (int64_t)rts_getThreadId(owner) &&
         cas_seq_cst(&context->watch, &seen, seen | WATCH_SETTLED);
}

/* The group is to be watched again.  True: no thread is awake that does.  */
HsBool ghcomp_watch_again(struct loop_worker *worker)
{
  and_seq_cst(&worker->context->watch, ~(uint32_t)WATCH_SETTLED); /* pairs with ghcomp_watch_next after the store in ghcomp_watch_will_sleep */
  return load_seq_cst(&watcher) != WATCHER_AWAKE;
}

/* Called by: the watching thread, between two looks; a `safe` call.  GHC's timers would do the same, but each look would make other
   threads' delays up to 1 ms longer: the manager of the timers waits in whole milliseconds, from when it was last woken.  */
void ghcomp_watch_pause(uint64_t microseconds)
{
  static _Atomic uint32_t never;
  ghcomp_park_wait_for(&never, 0, microseconds * 1000);
}

/* Called by: the watching thread.  True: it sleeps until another one wakes it.  */
HsBool ghcomp_watch_will_sleep(void)
{
  uint32_t asleep = WATCHER_ASLEEP;
  store_seq_cst(&watcher, WATCHER_ASLEEP); /* pairs with the load in ghcomp_loop_lacks_watcher */
  return ghcomp_watch_next(NULL) == NULL || !cas_relaxed(&watcher, &asleep, WATCHER_AWAKE);
}

#pragma GCC visibility pop
