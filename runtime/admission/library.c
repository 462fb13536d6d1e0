#include "admission/library.h"

#include "admission/constants.h"
#include "base/cycles.h"

/* Programs use a few libraries, and a BLAS has some hundred routines of which a program calls a dozen.  */
enum { LIBRARIES = 32, SITES = 256 };

static struct library libraries[LIBRARIES];
static struct site sites[SITES];
struct library ghcomp_library_unknown;
static struct library others = {.lock = LOCK_NONE, .needed = UINT32_MAX, .rest = UINT32_MAX};

/* A multiplicative hash (Knuth, The Art of Computer Programming, vol. 3, 6.4).  */
static unsigned hash(const void *address, unsigned size)
{
  return (uint32_t)((uint32_t)(uintptr_t)address * 2654435769u) >> 16 & (size - 1);
}

/* Relaxed: an entry has no contents that its key has to release; all begin as 0.  */
static bool is_or_becomes(_Atomic(const void *) *key, const void *address)
{
  const void *found = load_relaxed(key);
  return found == address || (found == NULL && (cas_relaxed(key, &found, address) || found == address));
}

enum { LOOKS = 8 }; /* at entries one after the other */

struct site *ghcomp_site_of(const void *caller)
{
  unsigned at = hash(caller, SITES);
  for (unsigned i = 0; i < LOOKS; i++, at = (at + 1) % SITES)
    if (is_or_becomes(&sites[at].caller, caller))
      return &sites[at];
  return NULL;
}

struct library *ghcomp_library_of(const void *body)
{
  unsigned at = hash(body, LIBRARIES);
  for (unsigned i = 0; i < LOOKS; i++, at = (at + 1) % LIBRARIES)
    if (is_or_becomes(&libraries[at].body, body))
      return &libraries[at];
  return &others;
}

static void forget_threads(struct library *library)
{
  store_relaxed(&library->running, 0);
  library->holder = library->first = library->last = NULL;
  library->waiting = 0;
}

void ghcomp_libraries_forget_threads(void)
{
  forget_threads(&ghcomp_library_unknown);
  forget_threads(&others);
  for (unsigned i = 0; i < LIBRARIES; i++)
    forget_threads(&libraries[i]);
}

/* What is tried again is tried this many questions later.  */
static unsigned later(unsigned questions)
{
  return questions == 0 ? AGAIN : questions < RAREST ? AGAIN * questions : RAREST;
}

/* ------------------------------------------------------------ questions in vain */

void ghcomp_site_wasted(struct site *site)
{
  unsigned wasted = load_relaxed(&site->wasted), skips = later(wasted);
  store_relaxed(&site->wasted, skips);
  store_relaxed(&site->skips, skips);
}

void ghcomp_site_used(struct site *site)
{
  unsigned wasted = load_relaxed(&site->wasted);
  if (wasted != 0)
    store_relaxed(&site->wasted, wasted / AGAIN);
}

bool ghcomp_site_skips(struct site *site)
{
  unsigned skips = load_relaxed(&site->skips);
  if (skips != 0)
    store_relaxed(&site->skips, skips - 1); /* of one look: another thread may just have taken the last */
  return skips != 0;
}

/* ------------------------------------------------------------- is there a lock */

/* There is no lock.  Each time that it was believed, more sightings are needed to believe in one again.  */
static void give_up(struct library *library)
{
  unsigned needed = load_relaxed(&library->needed), believed = load_relaxed(&library->lock) == LOCK_SEEN;
  store_relaxed(&library->needed, later(needed == 0 && believed ? AGAIN : needed));
  library->doubts = 0;
  store_relaxed(&library->lock, LOCK_NONE);
}

bool ghcomp_library_has_none(struct library *library)
{
  bool news = load_relaxed(&library->lock) != LOCK_NONE;
  if (news)
    give_up(library);
  if (load_relaxed(&library->rest) == 0)
    store_relaxed(&library->rest, AGAIN * AGAIN * load_relaxed(&library->needed));
  if (load_relaxed(&library->sightings) != 0)
    store_relaxed(&library->sightings, 0);
  return news;
}

bool ghcomp_library_looks(struct library *library)
{
  unsigned rest = load_relaxed(&library->rest);
  if (rest != 0)
    store_relaxed(&library->rest, rest - 1);
  return rest == 0;
}

/* Questions that look cost a call in which a thread spins (of LAPACK, some hundred regions).  So there are ever fewer.  */
void ghcomp_library_saw_lock(struct library *library)
{
  unsigned seen = add_relaxed(&library->sightings, 1) + 1;
  if (load_relaxed(&library->lock) == LOCK_SEEN) {
    library->probe_after = library->doubts == 0 ? later(library->probe_after) : library->probe_after;
    library->doubts -= library->doubts != 0;
    library->probe_in = library->doubts != 0 ? 1 : library->probe_in;
  } else if (load_relaxed(&library->lock) == LOCK_SUSPECTED || seen >= load_relaxed(&library->needed)) {
    library->patience = AGAIN;
    library->doubts = 0;
    library->probe_in = library->probe_after = AGAIN * AGAIN * AGAIN;
    store_relaxed(&library->lock, LOCK_SEEN);
  }
}

/* The next question looks, too.  */
bool ghcomp_library_saw_none(struct library *library)
{
  if (load_relaxed(&library->lock) == LOCK_NONE)
    return false;
  library->probe_in = 1;
  library->next_probe = 0;
  if (++library->doubts < AGAIN)
    return false;
  give_up(library);
  return true;
}

bool ghcomp_library_probes(struct library *library, uint64_t now)
{
  if (load_relaxed(&library->lock) == LOCK_SEEN) {
    library->probe_in = library->probe_in > 1 ? library->probe_in - 1 : library->probe_after;
    return library->probe_in == library->probe_after;
  }
  if (now < library->next_probe)
    return false;
  library->probe_after = library->probe_after == 0 ? 1 : later(library->probe_after);
  library->next_probe = now + cycles_in((uint64_t)LONGEST_NS * library->probe_after);
  return true;
}

void ghcomp_library_waited_in_vain(struct library *library)
{
  library->patience /= 2; /* where a lock is only suspected, there is none */
  if (library->patience == 0)
    give_up(library);
}

void ghcomp_library_waited_well(struct library *library)
{
  if (load_relaxed(&library->lock) == LOCK_SEEN)
    library->patience = AGAIN;
}
