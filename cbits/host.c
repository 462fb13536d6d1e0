/* threads/host.h for a Haskell program that has the runtime linked in.  The RTS is linked in, too,
   so nothing has to be searched.  It takes the place of runtime/threads/host.c.  */
#include "threads/host.h"

#include "base/atomics.h"

#include <Rts.h>

#include <stddef.h>

/* Despite its name, this says whether the RTS is the threaded one.  */
enum host_kind ghcomp_host_kind(void)
{
  return rtsSupportsBoundThreads() ? HOST_HASKELL_THREADED : HOST_HASKELL_SINGLE;
}

/* The RTS writes both by plain stores, so the values may be a moment old.  Both are 0 before it
   runs.  */
unsigned ghcomp_host_capabilities(void)
{
  if (!rtsSupportsBoundThreads() || n_capabilities == 0)
    return 0;
  return load_relaxed((const _Atomic uint32_t *)&enabled_capabilities);
}

/* 0 until the RTS ends.  Hidden, as the next ones are.  */
extern StgWord sched_state __attribute__((weak));

/* After that a thread that still runs (exit handlers of the program, say) must not read the
   Capabilities, because the RTS frees them.  */
static bool is_ending(void)
{
  return &sched_state != NULL && load_relaxed((const _Atomic StgWord *)&sched_state) != 0;
}

/* The RTS's Capabilities.  The name is hidden from a program that is linked dynamically.  In GHC
   9.4 to 9.8 it is the array itself, otherwise a pointer to it.  */
#if __GLASGOW_HASKELL__ >= 904 && __GLASGOW_HASKELL__ < 910
extern Capability *capabilities[] __attribute__((weak));

const char *const *ghcomp_host_capability_list(void)
{
  return is_ending() ? NULL : (const char *const *)capabilities;
}
#else
extern Capability **capabilities __attribute__((weak));

const char *const *ghcomp_host_capability_list(void)
{
  return &capabilities != NULL && !is_ending() ? (const char *const *)capabilities : NULL;
}
#endif

const size_t ghcomp_host_current_thread = offsetof(CapabilityPublic, r.rCurrentTSO);

void ghcomp_host_thread_ends(void)
{
  hs_thread_done();
}
