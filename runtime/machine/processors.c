/* Sets of processors, the affinity mask, and how many processors a team may use.  */
#include "machine/processors.h"

#include "base/atomics.h"
#include "machine/disturbance.h"
#include "machine/filter.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(struct processor_set) % sizeof(cpu_set_t) == 0, "the system's calls read whole cpu_set_t");

/* ------------------------------------------------------------- sets of processors */

static unsigned long bit(int processor)
{
  return 1ul << ((unsigned)processor % BITS_PER_WORD);
}

bool ghcomp_processors_has(const struct processor_set *set, int processor)
{
  return (unsigned)processor < MAX_PROCESSORS &&
         (set->words[(unsigned)processor / BITS_PER_WORD] & bit(processor)) != 0;
}

bool ghcomp_processors_add(struct processor_set *set, long processor)
{
  if (processor < 0 || processor >= MAX_PROCESSORS)
    return false;
  set->words[(unsigned)processor / BITS_PER_WORD] |= bit((int)processor);
  return true;
}

void ghcomp_processors_remove(struct processor_set *set, int processor)
{
  set->words[(unsigned)processor / BITS_PER_WORD] &= ~bit(processor);
}

unsigned ghcomp_processors_count(const struct processor_set *set)
{
  unsigned count = 0;
  for (unsigned i = 0; i < MAX_PROCESSORS / BITS_PER_WORD; i++)
    count += (unsigned)__builtin_popcountl(set->words[i]);
  return count;
}

int ghcomp_processors_next(const struct processor_set *set, int processor)
{
  if (processor >= MAX_PROCESSORS)
    return -1;
  unsigned i = (unsigned)processor / BITS_PER_WORD;
  unsigned long word = set->words[i] & ~(bit(processor) - 1);
  while (word == 0 && ++i < MAX_PROCESSORS / BITS_PER_WORD)
    word = set->words[i];
  return word != 0 ? (int)(i * BITS_PER_WORD) + __builtin_ctzl(word) : -1;
}

bool ghcomp_processors_equal(const struct processor_set *a, const struct processor_set *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

void ghcomp_processors_restrict(struct processor_set *set, const struct processor_set *to)
{
  for (unsigned i = 0; i < MAX_PROCESSORS / BITS_PER_WORD; i++)
    set->words[i] &= to->words[i];
}

void ghcomp_processors_unite(struct processor_set *set, const struct processor_set *with)
{
  for (unsigned i = 0; i < MAX_PROCESSORS / BITS_PER_WORD; i++)
    set->words[i] |= with->words[i];
}

/* ------------------------------------------------------------------- affinity mask */

bool ghcomp_machine_get_mask(struct processor_set *set)
{
  memset(set, 0, sizeof *set);
  return sched_getaffinity(0, sizeof *set, (cpu_set_t *)set->words) == 0;
}

bool ghcomp_machine_set_mask(const struct processor_set *set)
{
  return sched_setaffinity(0, sizeof *set, (const cpu_set_t *)set->words) == 0;
}

unsigned ghcomp_machine_configured_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_CONF);
  return count > 0 ? (unsigned)count : 1;
}

unsigned ghcomp_machine_online_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}

/* Written before a second thread exists; 0: no mask was kept.  */
static unsigned kept;
static struct processor_set kept_mask;

/* The system says how many bytes of the set it has written.  The rest of the set, which is large, is neither cleared nor
   counted: programs ask often.  */
unsigned ghcomp_machine_affinity_processors(void)
{
  struct processor_set set;
  unsigned count = 0;
  if (kept != 0)
    return kept;
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof set, set.words);
  for (long i = 0; i < bytes / (long)sizeof set.words[0]; i++)
    count += (unsigned)__builtin_popcountl(set.words[i]);
  return count != 0 ? count : ghcomp_machine_online_processors();
}

void ghcomp_machine_keep_affinity(void)
{
  kept = ghcomp_machine_affinity_processors();
  ghcomp_machine_get_mask(&kept_mask);
}

void ghcomp_machine_return_affinity(const struct processor_set *now)
{
  struct processor_set mask;
  if (ghcomp_machine_get_mask(&mask) && ghcomp_processors_equal(&mask, now))
    ghcomp_machine_set_mask(&kept_mask);
}

bool ghcomp_machine_could_have(struct processor_set *set)
{
  struct processor_set before;
  if (!ghcomp_machine_get_mask(&before) || !ghcomp_machine_set_mask(set))
    return false;
  bool known = ghcomp_machine_get_mask(set);
  ghcomp_machine_set_mask(&before);
  return known;
}

/* If another thread has given this one a mask meanwhile, that one stays.  A system that has refused a mask once is not asked
   again.  One that may end the process for it is not asked either: a filter of services' usual rules does (systemd's
   ~@resources).  */
static void leave(int processor)
{
  static _Atomic bool is_refused;
  struct processor_set whole, others, now;
  if (!load_relaxed(&is_refused) && ghcomp_machine_filter() != FILTER_OF_SANDBOX && ghcomp_machine_get_mask(&whole) && ghcomp_processors_count(&whole) > 1 &&
      ghcomp_processors_has(&whole, processor)) {
    others = whole;
    ghcomp_processors_remove(&others, processor);
    if (!ghcomp_machine_set_mask(&others))
      store_relaxed(&is_refused, errno == EPERM || errno == ENOSYS);
    else if (ghcomp_machine_get_mask(&now) && ghcomp_processors_equal(&now, &others))
      ghcomp_machine_set_mask(&whole);
  }
}

void ghcomp_machine_leave_processor(int processor)
{
  int saved = errno;
  struct held held = ghcomp_machine_hold(); /* a handler would see the other mask, and what it starts would keep it */
  leave(processor);
  ghcomp_machine_let(held);
  errno = saved;
}

/* ------------------------------------------------------------------ what a team may use */

static _Atomic unsigned cached;
static _Atomic bool quota_in_force;

static __attribute__((noinline)) unsigned count_processors(void)
{
  struct held held = ghcomp_machine_hold(); /* reading allocates */
  unsigned count = ghcomp_machine_affinity_processors();
  unsigned quota = ghcomp_machine_quota_processors();
  if (quota != 0 && quota < count)
    count = quota;
  store_relaxed(&quota_in_force, quota != 0);
  store_relaxed(&cached, count);
  ghcomp_machine_let(held);
  return count;
}

unsigned ghcomp_machine_processors(void)
{
  unsigned count = load_relaxed(&cached);
  return count != 0 ? count : count_processors();
}

bool ghcomp_machine_has_quota(void)
{
  ghcomp_machine_processors();
  return load_relaxed(&quota_in_force);
}

void ghcomp_machine_forget(void)
{
  store_relaxed(&cached, 0);
}
