/* Processors: sets of them, which ones this process may use, and where a thread runs.  */
#ifndef GHCOMP_MACHINE_PROCESSORS_H
#define GHCOMP_MACHINE_PROCESSORS_H

#include <sched.h>
#include <stdbool.h>

/* ------------------------------------------------------------- sets of processors */

enum {
  MAX_PROCESSORS = 8192, /* the most that Linux can be built for */
  BITS_PER_WORD = 8 * sizeof(unsigned long),
};

struct processor_set {
  unsigned long words[MAX_PROCESSORS / BITS_PER_WORD]; /* the same bytes as a cpu_set_t */
};

bool ghcomp_processors_has(const struct processor_set *set, int processor);
bool ghcomp_processors_add(struct processor_set *set, long processor); /* false: the number is out
                                                                          of range */
void ghcomp_processors_remove(struct processor_set *set, int processor);
unsigned ghcomp_processors_count(const struct processor_set *set);
int ghcomp_processors_next(const struct processor_set *set, int processor); /* the least from
                                                                               `processor` on; -1:
                                                                               none */
bool ghcomp_processors_equal(const struct processor_set *a, const struct processor_set *b);
void ghcomp_processors_restrict(struct processor_set *set, const struct processor_set *to);
void ghcomp_processors_unite(struct processor_set *set, const struct processor_set *with);

/* ------------------------------------------------------------------- affinity mask */

/* The processors that the calling thread may use.  False: the system does not say.  */
bool ghcomp_machine_get_mask(struct processor_set *set);

/* Binds the calling thread to the processors of the set.  False: the system refuses, perhaps because the
   mask of the process has shrunk meanwhile.  */
bool ghcomp_machine_set_mask(const struct processor_set *set);

/* Processors that the machine has switched on; those that it has.  At least 1.  */
unsigned ghcomp_machine_online_processors(void);
unsigned ghcomp_machine_configured_processors(void);

/* Processors in the affinity mask of the calling thread, or in the mask that was kept; at least
   1.  */
unsigned ghcomp_machine_affinity_processors(void);

/* Keeps the calling thread's mask as the one that counts.  Called before the first thread is bound
   to a place, because binding narrows the masks of threads, but not what the process may use.  */
void ghcomp_machine_keep_affinity(void);

/* Gives the calling thread the mask that was kept, if it has `now`.  Async-signal-safe.  */
void ghcomp_machine_return_affinity(const struct processor_set *now);

/* Leaves those processors of the set that the system would give to the calling thread, which may be more than it has: its
   mask may have been narrowed by whoever started the process.  False: it would give none.
   Cost: five system calls; meanwhile the thread has another mask.  */
bool ghcomp_machine_could_have(struct processor_set *set);

/* Moves the calling thread to another processor of its affinity mask, if there is one.  The mask is another one for some
   microseconds, in which the thread runs nothing else, not even a handler.
   Cost: six system calls.  */
void ghcomp_machine_leave_processor(int processor);

/* ------------------------------------------------------------------ what a team may use */

/* The cgroup's CPU quota in processors, rounded up; 0: there is no quota.  Reads cgroup v2 and v1,
   from the process's group up to the root.  */
unsigned ghcomp_machine_quota_processors(void);

/* As ghcomp_machine_quota_processors, for a given membership file and root folder (tests).  */
unsigned ghcomp_machine_quota_in(const char *membership, const char *root);

/* The number of processors that a team may use: the smaller of mask and quota.  Cached; at least
   1.  */
unsigned ghcomp_machine_processors(void);

/* True: a CPU quota was in force when ghcomp_machine_processors last looked.  */
bool ghcomp_machine_has_quota(void);

/* Forgets the cache (in a forked child).  */
void ghcomp_machine_forget(void);

/* -------------------------------------------------------------- the processor at hand */

/* The processor on which the calling thread runs at this moment; below 0: the system does not say.
   Cost: some nanoseconds, without a system call.  */
static inline int ghcomp_machine_here(void)
{
  return sched_getcpu();
}

/* Lets other threads that wait for this processor go first.  */
static inline void ghcomp_machine_yield(void)
{
  sched_yield();
}

/* ------------------------------------------------------------------ topology */

/* Which processors share a core, a last-level cache, a socket or a memory node, from the kernel's
   files.  If a part of these is missing (a container may hide it), the processors count as not
   sharing.

   `root` is SYSTEM_DEVICES, or a copy of it in a test.  */

#define SYSTEM_DEVICES "/sys/devices/system"

/* What processors may share.  */
enum sharing { SHARE_CORE, SHARE_CACHE, SHARE_SOCKET };

/* The processors that share it with `processor`, which is among them.  */
struct processor_set ghcomp_topology_sharers(const char *root, enum sharing what, int processor);

/* False: the kernel does not say which ones these are.  */
bool ghcomp_topology_knows(const char *root, enum sharing what, int processor);

/* The numbers of the memory nodes, as a set.  It is empty if the kernel knows none.  */
struct processor_set ghcomp_topology_nodes(const char *root);

/* The processors of a memory node.  False: the kernel does not say.  */
bool ghcomp_topology_of_node(const char *root, int node, struct processor_set *set);

#endif
