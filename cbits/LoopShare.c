/* The share of a loop that belongs to one thread: a worker, with what it draws, and the rest of the chunk that is being executed.

   A thread that is in a body passes its share on to another one, the stand-in, so that the iterations in it do not wait
   (GHC.OpenMP.Loop.StandIn and GHC.OpenMP.Loop.Follow have when).  When it goes on, it ends its body and leaves.

   Invariant: a share's holder alone uses its worker.

   Usual bodies (ghcomp_loop_take_share): a share is passed on only while its holder is blocked, which it is in a body only, and in one
   `unsafe` call on the holder's own Capability, where the holder cannot go on before that call returns.  So neither needs an atomic
   operation: all that the two do is ordered by the Capability, also if the holder moves to another one later.

   Bodies that are promised a thread each (ghcomp_loop_next_action, ghcomp_loop_take_action): the holder may run, on any Capability.
   So the share has a lock, which nobody holds beyond an `unsafe` call.  Whoever has it may use the share's words and the worker.  The
   holder ends its share, under the lock, before it leaves the loop: so who takes a share finds a loop that is not over.  */
#include "Loop.h"

#include <Rts.h>

/* What the Haskell side writes in front of each body (GHC.OpenMP.Loop.Share).  */
enum share_word { SHARE_NEXT, SHARE_END, SHARE_STATE, SHARE_LOCK };
enum share_lock { UNLOCKABLE, UNLOCKED, LOCKED }; /* the first one: of usual bodies, or nobody has drawn yet */
enum share_state { SHARE_HELD, SHARE_PASSED_ON, SHARE_OVER };

static bool is_blocked(const StgTSO *thread, bool in_c_too)
{
  switch (thread->why_blocked) {
  case NotBlocked:
  case ThreadMigrating:
    return false;
  case BlockedOnCCall:
  case BlockedOnCCall_Interruptible:
    return in_c_too;
  default:
    return true;
  }
}

static _Atomic(int64_t) *share_lock_of(int64_t *share)
{
  return (_Atomic(int64_t) *)&share[SHARE_LOCK];
}

static bool try_lock_share(int64_t *share)
{
  int64_t is = UNLOCKED;
  return cas_acquire(share_lock_of(share), &is, LOCKED); /* pairs with the store of unlock_share */
}

static void lock_share(int64_t *share)
{
  while (!try_lock_share(share))
    cpu_relax();
}

static void unlock_share(int64_t *share)
{
  store_release(share_lock_of(share), UNLOCKED);
}

/* It belongs to the calling thread's Capability.  */
static bool is_here(const StgTSO *thread)
{
  return (void *)thread->cap == (void *)rts_unsafeGetMyCapability();
}

bool ghcomp_loop_holds_still(const void *thread)
{
  return is_here(thread) && is_blocked(thread, true);
}

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

enum { SHARE_TAKEN, SHARE_NOTHING_LEFT, SHARE_HOLDER_RUNS, SHARE_ELSEWHERE };

enum thread_does { THREAD_HOLDS_STILL, THREAD_GOES_ON, THREAD_HAS_ENDED };

/* What the thread did a moment ago: it may belong to another Capability.  */
int ghcomp_loop_thread_does(StgPtr thread)
{
  const StgTSO *it = (StgTSO *)thread;
  if (it->what_next == ThreadComplete || it->what_next == ThreadKilled)
    return THREAD_HAS_ENDED;
  return is_blocked(it, true) ? THREAD_HOLDS_STILL : THREAD_GOES_ON;
}

HsBool ghcomp_loop_thread_is_here(StgPtr thread)
{
  return is_here((StgTSO *)thread);
}

/* The calling thread takes the share over, as `own`, and is inside.  The holder is the caller of the loop, or inside, for as long as it
   holds the share; so the loop is not over.  If the caller was alone, helpers may enter from now on.  */
static int take_over(struct loop_worker *worker, int64_t *old, int64_t *own)
{
  struct loop_context *context = worker->context;
  if (load_relaxed(&context->cancelled))
    return SHARE_NOTHING_LEFT;
  if (context->alone) {
    int64_t begin = worker->rest_begin, end = worker->rest_end;
    ghcomp_loop_admit(context);
    worker->rest_begin = begin; /* of a chunk that is handed out in slices, the caller had drawn all */
    worker->rest_end = end;
  }
  add_relaxed(&context->state, 1); /* the holder's entry, or its being the caller, has acquired the description */
  own[SHARE_NEXT] = old[SHARE_NEXT];
  own[SHARE_END] = old[SHARE_END];
  old[SHARE_END] = old[SHARE_NEXT];
  old[SHARE_STATE] = SHARE_PASSED_ON;
  return SHARE_TAKEN;
}

/* The holder is in a body: of other bodies nobody asks for this.  SHARE_HOLDER_RUNS: it is about to draw the next one, or has drawn none.  */
int ghcomp_loop_take_action(struct loop_worker *worker, int64_t *old, int64_t *own)
{
  if (!try_lock_share(old))
    return SHARE_HOLDER_RUNS;
  int taken = old[SHARE_STATE] == SHARE_HELD ? take_over(worker, old, own) : SHARE_NOTHING_LEFT;
  unlock_share(old);
  return taken;
}

/* From a holder that is blocked.  SHARE_ELSEWHERE: it belongs to another Capability.  */
int ghcomp_loop_take_share(struct loop_worker *worker, StgPtr holder, int64_t *old, int64_t *own)
{
  const StgTSO *thread = (StgTSO *)holder;
  if (old[SHARE_STATE] != SHARE_HELD)
    return SHARE_NOTHING_LEFT;
  if (!is_here(thread))
    return SHARE_ELSEWHERE;
  if (!is_blocked(thread, false))
    return SHARE_HOLDER_RUNS;
  if (load_relaxed(share_lock_of(old)) != UNLOCKABLE)
    return ghcomp_loop_take_action(worker, old, own);
  return take_over(worker, old, own);
}

/* ------------------------------------------------------ bodies that are promised a thread each */

/* The holder draws its first body, or the first one after others may enter.  */
void ghcomp_loop_begin_actions(int64_t *share)
{
  if (load_relaxed(share_lock_of(share)) == UNLOCKABLE)
    unlock_share(share);
}

/* The iteration that the holder executes now; or NEXT_NONE, and then its share is over, or another thread's; or NEXT_GIVE_WAY; or
   NEXT_WANTS_HELP: nobody takes the share before the holder has let others enter, and begins again.  */
int64_t ghcomp_loop_next_action(struct loop_worker *worker, int64_t *share)
{
  int64_t next = NEXT_NONE;
  lock_share(share);
  if (share[SHARE_STATE] == SHARE_HELD) {
    if (share[SHARE_NEXT] >= share[SHARE_END]) {
      next = ghcomp_loop_next(worker);
      if (next >= 0) {
        share[SHARE_NEXT] = next;
        share[SHARE_END] = worker->chunk_end;
      }
    } else
      next = share[SHARE_NEXT];
    if (next >= 0)
      share[SHARE_NEXT] = next + 1;
    else if (next == NEXT_NONE)
      share[SHARE_STATE] = SHARE_OVER;
  }
  if (next == NEXT_WANTS_HELP)
    store_relaxed(share_lock_of(share), UNLOCKABLE); /* for the holder alone, which unlocks it again in ghcomp_loop_begin_actions */
  else
    unlock_share(share);
  return next;
}

/* Whose share has a lock, ends it: before it leaves.  */
void ghcomp_loop_end_actions(int64_t *share)
{
  lock_share(share);
  share[SHARE_STATE] = SHARE_OVER;
  unlock_share(share);
}

#pragma GCC visibility pop
