/* substrate/host.h for a Haskell program that has the runtime linked in: the RTS is
   the one beside it, and nothing has to be searched.  Stands in for
   runtime/substrate/host.c.  */
#include "substrate/host.h"

#include "base/atomics.h"

#include <Rts.h>

/* Not bound threads themselves, but whether the RTS is the threaded one.  */
enum host_kind ghcomp_host_kind(void)
{
  return rtsSupportsBoundThreads() ? HOST_HASKELL_THREADED : HOST_HASKELL_SINGLE;
}

/* The RTS writes both plainly; what is read may be a moment old.  Both are 0
   before it runs.  */
unsigned ghcomp_host_capabilities(void)
{
  if (!rtsSupportsBoundThreads() || n_capabilities == 0)
    return 0;
  return load_relaxed((const _Atomic uint32_t *)&enabled_capabilities);
}

void ghcomp_host_thread_ends(void)
{
  hs_thread_done();
}
