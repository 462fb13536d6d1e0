/* The share of a loop that belongs to one thread: a worker, with what it draws, and the rest of the chunk that is being executed.

   A thread that is blocked in a body passes its share on to another one, the stand-in, so that the iterations in it do not wait
   (GHC.OpenMP.Loop.StandIn has when).  When it goes on, it ends its body and leaves.

   Invariants: a share's holder alone uses its worker.  A share is passed on only while its holder is blocked, and in one `unsafe`
   call on the holder's own Capability, where the holder cannot go on before that call returns.  So neither needs an atomic
   operation: all that the two do is ordered by the Capability, also if the holder moves to another one later.  */
#include "Loop.h"

#include <Rts.h>

/* What the Haskell side writes in front of each body (GHC.OpenMP.Loop.Share).  */
enum share_word { SHARE_NEXT, SHARE_END, SHARE_STATE };
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

bool ghcomp_loop_holds_still(const void *thread)
{
  const StgTSO *it = thread;
  return (void *)it->cap == (void *)rts_unsafeGetMyCapability() && is_blocked(it, true);
}

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

enum { SHARE_TAKEN, SHARE_NOTHING_LEFT, SHARE_HOLDER_RUNS, SHARE_ELSEWHERE };

/* The calling thread takes the share `old` of `holder` over, as `own`, and is inside.  The holder is the caller of the loop, or
   inside, for as long as it holds the share; so the loop is not over.  If the caller was alone, helpers may enter from now on.
   SHARE_ELSEWHERE: the holder belongs to another Capability.  */
int ghcomp_loop_take_share(struct loop_worker *worker, StgPtr holder, int64_t *old, int64_t *own, HsBool in_c_too)
{
  const StgTSO *thread = (StgTSO *)holder;
  struct loop_context *context = worker->context;
  if (old[SHARE_STATE] != SHARE_HELD)
    return SHARE_NOTHING_LEFT;
  if ((void *)thread->cap != (void *)rts_unsafeGetMyCapability())
    return SHARE_ELSEWHERE;
  if (!is_blocked(thread, in_c_too))
    return SHARE_HOLDER_RUNS;
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

#pragma GCC visibility pop
