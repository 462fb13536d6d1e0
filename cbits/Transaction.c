/* Whether a Haskell thread is in a transaction of STM.  */
#include <Rts.h>

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

HsBool ghcomp_in_transaction(StgPtr thread)
{
  return (const void *)((const StgTSO *)thread)->trec != (const void *)&stg_NO_TREC_closure;
}

#pragma GCC visibility pop
