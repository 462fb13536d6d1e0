/* Calls from C into Haskell functions are counted.  How long one waited for a Capability is
   not: GHC's own stub has waited before any code of this package runs.  */
#include "core/stats.h"

/* Haskell code calls it, also where it was inlined into another library.  */
#pragma GCC visibility push(default)

void ghcomp_callback_begin(void)
{
  ghcomp_count(ghcomp_self(), STAT_CALLBACKS);
}
