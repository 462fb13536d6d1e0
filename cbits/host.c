/* threads/host.h for a Haskell program that has the runtime linked in: the RTS is
   the one beside it, and nothing has to be searched.  Stands in for
   runtime/threads/host.c.  */
#include "threads/host.h"

#include "base/atomics.h"
#include "machine/machine.h"

#include <Rts.h>

#include <stddef.h>

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

/* 0 until the RTS ends.  Hidden as the next ones are.  */
extern StgWord sched_state __attribute__((weak));

/* Whoever goes on from then on (exit handlers of the program's) must not look at Capabilities: the RTS frees them.  */
static bool is_ending(void)
{
  return &sched_state != NULL && load_relaxed((const _Atomic StgWord *)&sched_state) != 0;
}

/* The RTS's Capabilities, NULL where they cannot be seen.  The name is hidden from a program that is linked dynamically,
   and stands for the array itself in GHC 9.4 to 9.8, else for a pointer to it.  */
#if __GLASGOW_HASKELL__ >= 904 && __GLASGOW_HASKELL__ < 910
extern Capability *capabilities[] __attribute__((weak));

static Capability *const *all_capabilities(void)
{
  return is_ending() ? NULL : capabilities;
}
#else
extern Capability **capabilities __attribute__((weak));

static Capability *const *all_capabilities(void)
{
  return &capabilities != NULL && !is_ending() ? capabilities : NULL;
}
#endif

/* The RTS sets a Capability's thread plainly.  */
static bool runs_haskell(Capability *capability)
{
  return *(StgTSO *volatile *)&((CapabilityPublic *)capability)->r.rCurrentTSO != NULL;
}

unsigned ghcomp_host_busy(unsigned unknown)
{
  Capability *const *all = all_capabilities();
  unsigned count = ghcomp_host_capabilities(), busy = 0;
  if (all == NULL)
    return unknown;
  for (unsigned i = 0; i < count; i++)
    busy += runs_haskell(all[i]);
  return busy;
}

unsigned ghcomp_host_busy_from_outside(void)
{
  Capability *const *all = all_capabilities();
  unsigned count = ghcomp_host_capabilities();
  return all != NULL ? ghcomp_machine_count_set(all, count, offsetof(CapabilityPublic, r.rCurrentTSO)) : 0;
}

void ghcomp_host_thread_ends(void)
{
  hs_thread_done();
}
