/* What this machine lets this process use.  */
#ifndef GHCOMP_MACHINE_MACHINE_H
#define GHCOMP_MACHINE_MACHINE_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Masks of machines with more processors than this are cut off.  */
#define MAX_PROCESSORS 16384

/* Processors in the affinity mask of the calling thread, or in the one that was
   kept (at least 1).  */
unsigned ghcomp_machine_affinity_processors(void);

/* Keeps the calling thread's mask as the one that counts.  Called before the
   first thread is bound to a place: that narrows the masks of threads, but not
   what the process may use.  */
void ghcomp_machine_keep_affinity(void);

/* Processors that the cgroup's CPU quota amounts to, rounded up; 0 when there
   is no quota.  Reads cgroup v2 and v1, the whole way up to the root.  */
unsigned ghcomp_machine_quota_processors(void);

/* Moves the calling thread to another processor of its affinity mask, if it has
   another; the mask is afterwards what it was.  Cost: three system calls.  */
void ghcomp_machine_leave_processor(int processor);

/* Takes the processor out of a thread's affinity mask, if that leaves it another; 0: the calling
   thread.  One that waits for the processor moves at once, one that sleeps where it wakes.
   Returns whether it has.  */
bool ghcomp_machine_keep_off(int thread, int processor);

/* Puts it into the calling thread's again.  */
void ghcomp_machine_let_on(int processor);

/* The same for a given membership file and root folder (tests).  */
unsigned ghcomp_machine_quota_in(const char *membership, const char *root);

/* The smaller of the two: what a team may use.  Cached; at least 1.  */
unsigned ghcomp_machine_processors(void);

/* Bytes that are left of the calling thread's stack; of the initial thread's, how large it
   may be.  */
size_t ghcomp_machine_stack_left(void);

/* The calling thread's number in the system; and whether a thread of this process computes, or
   waits for a processor, rather than for something else.  Cost: some microseconds.  */
int ghcomp_machine_thread(void);
bool ghcomp_machine_thread_runs(int thread);

/* The calling thread's name, as the system shows it; one that is longer is cut off.  A system that
   refuses (a filter of system calls) leaves the name as it was.  */
enum { GHCOMP_THREAD_NAME = 16 };
void ghcomp_machine_get_thread_name(char name[GHCOMP_THREAD_NAME]);
void ghcomp_machine_set_thread_name(const char *name); /* async-signal-safe */

/* Nanoseconds for which a thread of this process has had a processor.  Cost: a system call.  */
uint64_t ghcomp_machine_thread_computed(int thread);

/* How many of `count` structures have a word other than 0 at this offset; `structures` is an array
   of their addresses.  The system reads both: what is no memory any more counts as 0, also
   where it stops to be any meanwhile.  Cost: two system calls.  */
unsigned ghcomp_machine_count_set(const void *structures, unsigned count, size_t offset);

/* Forgets the cache (in a forked child).  */
void ghcomp_machine_forget(void);

/* ------------------------------------------------------------ sleep and wake */

/* Sleep on an address and wake who sleeps there: Linux's private futex.  */

/* Sleeps while *word == expected.  May return early for any reason; the
   caller looks again.  */
void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected);

/* The same, for so long at most.  */
void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds);

/* Wakes up to `count` threads that sleep on word.  The memory may already
   have been reused: a wake-up is only ever a hint.  */
void ghcomp_park_wake(_Atomic uint32_t *word, int count);

#endif
