/* Whether an exception came from outside of a computation, or the computation has thrown it.

   When a computation throws, the RTS updates each thunk under evaluation between there and the handler to one that throws again
   (its function raiseExceptionHelper).  When another thread throws at it, the RTS freezes the evaluation as it is, so that it
   can go on later (raiseAsync).  So the computation runs as a thunk, and the handler looks what has become of
   it.  The same since GHC 6.  */
#include <Rts.h>

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* `thunk` has been evaluated, until an exception.  True: it is frozen.  */
HsBool ghcomp_is_frozen(HsStablePtr thunk)
{
  const StgClosure *closure = UNTAG_CONST_CLOSURE((const StgClosure *)deRefStablePtr(thunk));
  for (;;) {
    switch (get_itbl(closure)->type) {
    case IND:
    case IND_STATIC:
    case BLACKHOLE:
      closure = UNTAG_CONST_CLOSURE(((const StgInd *)closure)->indirectee);
      continue;
    case AP_STACK:
      return true;
    default:
      return false;
    }
  }
}
