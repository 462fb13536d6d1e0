/* Defaults: the team size, and dyn-var.  */
#include "settings/icv.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/processors.h"
#include "settings/env.h"
#include "threads/substrate.h"
#include "wait/lock.h"

#include <string.h>

unsigned ghcomp_icv_default_threads(void)
{
  unsigned capabilities = ghcomp_substrate_host_capabilities();
  return capabilities != 0 ? capabilities : ghcomp_machine_processors();
}

/* Looked up once, because the kind of the program does not change.  */
bool ghcomp_icv_host_shares(void)
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
  return icv->dynamic == DYNAMIC_BY_HOST ? ghcomp_icv_host_shares() : icv->dynamic == DYNAMIC_TRUE;
}

/* ------------------------------------------------------- affinity-format-var */

/* The affinity format in force.  Readers get a copy, so the text can be replaced, and the old one
   released, at any time.  */

OWN_LOCK(replacing); /* guards `replaced_by` */
static char *replaced_by; /* NULL: the environment's text is in force */

void ghcomp_affinity_var_set(const char *format)
{
  char *copy = ghcomp_memory_copy_text(format);
  ghcomp_lock_own(&replacing.word);
  char *old = replaced_by;
  replaced_by = copy;
  ghcomp_unlock_own(&replacing.word);
  ghcomp_memory_release(old);
}

char *ghcomp_affinity_var_copy(void)
{
  ghcomp_lock_own(&replacing.word);
  const char *text = replaced_by != NULL ? replaced_by : ghcomp_settings.affinity_format;
  size_t size = strlen(text) + 1;
  char *copy = ghcomp_memory_try(size);
  if (copy != NULL)
    memcpy(copy, text, size);
  ghcomp_unlock_own(&replacing.word);
  return ghcomp_memory_demand(copy, size);
}
