/* barrier.  Spec: 5.2, 15.3.1.  */
#include "team/team.h"

#include "abi/border.h"

ENTRY_POINTS(gomp_barrier);

EXPORT void GOMP_barrier(void)
{
  ghcomp_barrier_wait(ghcomp_self());
}

EXPORT bool GOMP_barrier_cancel(void)
{
  return ghcomp_barrier_wait_cancel(ghcomp_self());
}
