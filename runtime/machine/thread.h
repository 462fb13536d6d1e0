/* The system's threads: their numbers, names, stacks and processor time, how they sleep, and how
   they end.  */
#ifndef GHCOMP_MACHINE_THREAD_H
#define GHCOMP_MACHINE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -------------------------------------------------------------- calling thread */

/* The calling thread's number in the system.
   Cost: some nanoseconds, without a system call.  */
int ghcomp_machine_thread(void);

/* The calling thread is the only one of a process, or of a forked child.  Async-signal-safe.  */
void ghcomp_machine_only_thread(void);

/* The calling thread's handle, which debuggers and libgomp's %i show.  */
uintptr_t ghcomp_machine_thread_handle(void);

/* Bytes that the stack of a thread has where nobody says how many.  */
size_t ghcomp_machine_usual_stack(void);

/* Where the calling thread's own stack may be, thread-local variables included, whatever stack the thread uses at this
   moment.  False: the system does not say.  */
bool ghcomp_machine_own_stack(uintptr_t *lowest, size_t *size);

/* ulimit -s unlimited.  Cost: a system call.  */
bool ghcomp_machine_stack_has_no_limit(void);

/* --------------------------------------------------------------- any thread of ours */

/* True: the thread of this process computes or waits for a processor; false: it waits for something
   else.
   Cost: some microseconds.  */
bool ghcomp_machine_thread_runs(int thread);

/* True: the thread of this process has not ended; while it ends, it is there.
   Cost: some microseconds.  */
bool ghcomp_machine_thread_is_there(int thread);

/* Nanoseconds of processor time of a thread of this process.
   Cost: a system call.  */
uint64_t ghcomp_machine_thread_computed(int thread);

/* Nanoseconds of processor time of all threads of this process; 0: not known.
   Cost: a system call.  */
uint64_t ghcomp_machine_process_computed(void);

/* --------------------------------------------------------------------------- names */

/* The calling thread's name, as the system shows it.  A longer name is cut off.  If the system
   refuses, the name does not change.  */
enum { GHCOMP_THREAD_NAME = 16 };
void ghcomp_machine_get_thread_name(char name[GHCOMP_THREAD_NAME]);
void ghcomp_machine_set_thread_name(const char *name); /* async-signal-safe */

/* --------------------------------------------------------------- sleep and wake */

/* Sleep on an address, and wake the threads that sleep there: Linux's private futex.  */

/* Sleeps while *word == expected.  It may return early for any reason, so the caller looks
   again.  */
void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected);

/* The same, for at most that long.  */
void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds);

/* Wakes up to `count` threads that sleep on the word.  The memory may already be in use for
   something else, because every sleeper looks again.  False: a filter refuses that, so they sleep for ever.  */
bool ghcomp_park_wake(_Atomic uint32_t *word, int count);

/* -------------------------------------------------------------- once, and at the end */

/* An action that is done once, by the first thread that comes.  The others wait until it is
   done.  */
struct once {
  pthread_once_t state;
};
#define ONCE_INIT {PTHREAD_ONCE_INIT}

static inline void ghcomp_machine_once(struct once *once, void (*run)(void))
{
  pthread_once(&once->state, run);
}

/* From now on a thread that has a mark calls `seen` with its mark when it ends.  If the system has
   no room for another key, `seen` is never called.
   Called by: one thread, once, before the first mark.  */
void ghcomp_machine_watch_ends(void (*seen)(void *mark));

/* Gives the calling thread a mark.  `seen` may also do this.  Then it is called again, after the
   destructors of other keys.  */
void ghcomp_machine_mark_thread(void *mark);

#endif
