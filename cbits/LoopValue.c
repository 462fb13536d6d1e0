/* How the evaluation of a thunk has ended: it has thrown an exception itself, or not.

   When a computation throws, the RTS makes each thunk under evaluation, between there and the handler, one that throws again
   (raiseExceptionHelper).  When another thread throws at it, the RTS freezes the evaluation as it is, so that it
   can go on later (raiseAsync).  Then the thunk is an AP_STACK.  If that exception arrives just before or after
   the evaluation, the thunk has not begun, or has a value.  So only a thunk that throws again has thrown.  */
#include <Rts.h>

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* Called in a handler around the evaluation of `thunk`, by the only thread that knows it.  */
HsBool ghcomp_has_thrown(HsStablePtr thunk)
{
  const StgClosure *closure = UNTAG_CONST_CLOSURE((const StgClosure *)deRefStablePtr(thunk));
  for (;;) {
    switch (get_itbl(closure)->type) {
    case IND:
    case IND_STATIC:
    case BLACKHOLE: /* updated, as the evaluation is over */
      closure = UNTAG_CONST_CLOSURE(((const StgInd *)closure)->indirectee);
      continue;
    default:
      return (const void *)closure->header.info == (const void *)&stg_raise_info;
    }
  }
}

#pragma GCC visibility pop
