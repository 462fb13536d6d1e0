/* What nobody has set: the default team size, and whether it is one.  */
#include "settings/icv.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "settings/env.h"
#include "threads/substrate.h"

#include <pthread.h>
#include <string.h>

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

/* ------------------------------------------------------- affinity-format-var */

/* The affinity format in force.  Whoever reads it gets a copy, so that it may be
   replaced, and the old text given back, at any time.  */

static pthread_mutex_t replacing = PTHREAD_MUTEX_INITIALIZER; /* guards `replaced_by` */
static char *replaced_by; /* NULL: what the environment said is in force */

void ghcomp_affinity_var_set(const char *format)
{
  char *copy = ghcomp_memory_copy_text(format);
  pthread_mutex_lock(&replacing);
  char *old = replaced_by;
  replaced_by = copy;
  pthread_mutex_unlock(&replacing);
  ghcomp_memory_release(old);
}

char *ghcomp_affinity_var_copy(void)
{
  pthread_mutex_lock(&replacing);
  const char *text = replaced_by != NULL ? replaced_by : ghcomp_settings.affinity_format;
  size_t size = strlen(text) + 1;
  char *copy = strdup(text);
  pthread_mutex_unlock(&replacing);
  return ghcomp_memory_demand(copy, size);
}

void ghcomp_affinity_var_after_fork(void)
{
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  replacing = fresh;
}
