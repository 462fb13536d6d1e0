/* Control variables with a state that the OpenMP routines cannot restore: nthreads-var may be
   unset, which means the Capabilities.  */
#include "state/thread.h"
#include "task/lineage.h"
#include "team/thread.h"

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* 0: unset.  */
unsigned ghcomp_settings_threads(void)
{
  return ghcomp_icv()->nthreads;
}

/* The most threads of the next region.  Unlike omp_get_max_threads this is no question that takes a turn
   (turns.md): a Haskell thread that asks holds no library's lock, and its OS thread may run another
   Haskell thread's region next.  */
unsigned ghcomp_settings_max_threads(void)
{
  return ghcomp_icv_max_threads(ghcomp_icv());
}

void ghcomp_settings_set_threads(unsigned threads)
{
  ghcomp_icv_scope_own(ghcomp_self())->nthreads = threads;
}

/* OMP_WAIT_POLICY: 1 active, 0 passive, -1 not given.  */
int ghcomp_settings_wait_policy(void)
{
  return ghcomp_settings.wait_policy;
}

#pragma GCC visibility pop
