/* What nobody has set: the default team size, and whether it is one.  */
#include "settings/icv.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "threads/substrate.h"

unsigned ghcomp_icv_default_threads(void)
{
  unsigned capabilities = ghcomp_substrate_host_capabilities();
  return capabilities != 0 ? capabilities : ghcomp_machine_processors();
}

/* Looked up once: what kind of program this is does not change.  */
static bool host_shares(void)
{
  enum { UNKNOWN, NO, YES };
  static _Atomic int known;
  int found = load_relaxed(&known);
  if (unlikely(found == UNKNOWN)) {
    found = ghcomp_substrate_host_is_haskell() ? YES : NO;
    store_relaxed(&known, found);
  }
  return found == YES;
}

bool ghcomp_icv_is_dynamic(const struct icv *icv)
{
  return icv->dynamic == DYNAMIC_BY_HOST ? host_shares() : icv->dynamic == DYNAMIC_TRUE;
}
