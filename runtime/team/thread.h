/* Threads that meet the runtime.  */
#ifndef GHCOMP_TEAM_THREAD_H
#define GHCOMP_TEAM_THREAD_H

#include "places/places.h"
#include "state/thread.h"

struct thread *ghcomp_thread_meet(void);

/* The calling thread's descriptor.  A thread that has not met the runtime does so here.  */
static inline struct thread *ghcomp_self(void)
{
  struct thread *self = ghcomp_self_pointer;
  return likely(self != NULL) ? self : ghcomp_thread_meet();
}

/* The ICVs of the calling thread's current task.  */
static inline const struct icv *ghcomp_icv(void)
{
  return ghcomp_self()->member->task->icv;
}

/* Puts a descriptor into its first state and gives it an initial team.  False: there is no memory
   for the team, and the descriptor can be retired.  */
bool ghcomp_thread_prepare(struct thread *thread);

/* The OS thread behind the descriptor ends.  */
void ghcomp_thread_retire(struct thread *thread);

/* In a forked child: the calling thread is alone.  */
void ghcomp_thread_after_fork(void);

/* ---------------------------------------------------------- the first thread */

/* Reading the environment before anything depends on it.  */

/* The first call reads the environment; other calls wait until it is read.  Called when the library
   is loaded, when a thread meets the runtime, and by each query of ghcomp_settings or ghcomp_places
   that needs no thread.  The reason: an initialiser of another library, or of an executable that
   has the runtime linked in, may run before the constructor.  */
void ghcomp_start_once(void);

/* Code of LLVM's or Intel's compilers is served from now on; the first call counts.  Relaxed: who does not see
   yet that it has been calls it once more.  */
extern _Atomic bool ghcomp_llvm_came;
void ghcomp_start_llvm(void);

/* What KMP_BLOCKTIME or kmp_set_blocktime says is in force from now on.  */
void ghcomp_start_block_time(void);

/* ------------------------------------------------------- display of affinity */

/* display-affinity-var: each thread of a parallel region prints where it runs, once and after each
   change.  Spec: 5.2, 21.2.5.  */

struct affinity_info ghcomp_affinity_info_of(const struct member *member);

/* Called by: the member's thread, when it enters a region.  */
void ghcomp_display_affinity(struct thread *self, const struct member *member);

/* ---------------------------------------------------------- names of workers */

/* The names of workers ("omp 1", …), as top -H, gdb, perf and /proc show them.  */

/* The lowest number that no living worker has; 0: there is none.
   Called by: the thread that starts the worker, so that the workers of a team that grows are
   numbered in the order of their places.  */
unsigned ghcomp_worker_name_take(void);
void ghcomp_worker_name_give_back(unsigned number);

/* Called by: the worker itself, when it starts.
   Cost: two system calls.  */
void ghcomp_worker_name_show(struct thread *self);

/* In a forked child: no worker is left.  If `self` was a worker, it is the child's first thread,
   whose name is the name of the process.  It gets back the name that it was born with.
   Async-signal-safe.  */
void ghcomp_worker_name_after_fork(const struct thread *self);

#endif
