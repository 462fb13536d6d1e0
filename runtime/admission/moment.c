/* Haskell threads that compute for a moment only.

   How many threads a dynamic region gets depends on how many Capabilities are busy when it begins.  Regions and Haskell
   threads often begin together: a collection ends, and all that waited for it go on.  Most of these Haskell threads have
   little to do and wait again after some microseconds, but the region would have one thread for all of its time.  So a
   master looks until no Capability is busy, for as long as a moment.  If one still is, Haskell threads compute, and later
   regions look only once, until one finds that none does.  */
#include "admission/queue.h"

#include "base/atomics.h"
#include "base/cycles.h"
#include "base/memory.h"
#include "state/thread.h"
#include "threads/give_way.h"
#include "threads/substrate.h"

#define MOMENT_NS 20000u
/* A shorter region would lose less with one thread.  */
#define SHORT_NS 100000u

/* Relaxed: a hint.  */
static _Atomic bool lasting;

/* Not known, for the only master of a program: it is.  */
static bool is_worth_it(const struct thread *self)
{
  return self->turn.region_took == 0 || self->turn.region_took >= cycles_in(SHORT_NS);
}

static bool nobody_computes(void)
{
  return ghcomp_substrate_host_busy() == 0;
}

/* Returns whether all stop in time.  The OS thread of one may be waiting for this processor, while another one is idle.  */
static bool all_stop(void)
{
  if (cycles_now() >= ghcomp_give_way_due())
    ghcomp_give_way();
  for (uint64_t until = cycles_now() + cycles_in(MOMENT_NS); cycles_now() < until; cpu_relax())
    if (nobody_computes())
      return true;
  return false;
}

void ghcomp_admission_moment_pass(const struct thread *self)
{
  if (!is_worth_it(self))
    return;
  if (likely(nobody_computes())) {
    if (unlikely(load_relaxed(&lasting)))
      store_relaxed(&lasting, false);
  } else if (!load_relaxed(&lasting) && !all_stop()) {
    store_relaxed(&lasting, true);
  }
}
