/* Threads that meet the runtime.  */
#ifndef GHCOMP_TEAM_THREAD_H
#define GHCOMP_TEAM_THREAD_H

#include "places/places.h"
#include "state/thread.h"

struct thread *ghcomp_thread_meet(void);

/* The calling thread; it meets the runtime where it has not yet.  */
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

/* Puts a descriptor into its first state and gives it an initial team.  False without
   memory for one; the descriptor can be retired then.  */
bool ghcomp_thread_prepare(struct thread *thread);

/* The OS thread behind the descriptor ends.  */
void ghcomp_thread_retire(struct thread *thread);

/* At the start: the end of the process's first thread will be seen, if that is what calls,
   whether it ever meets the runtime or not.  */
void ghcomp_thread_watch_first(void);

/* In a forked child: the calling thread is alone.  */
void ghcomp_thread_after_fork(void);

/* ---------------------------------------------------------- the first thread */

/* Reading the environment before anybody asks what it says.  */

/* The first call reads it; the others wait until it is read.  Called when the
   library is loaded, when a thread meets the runtime, and by each query of
   ghcomp_settings or ghcomp_places that needs no thread: an initialiser of another
   library, or of the executable that the runtime is linked into, may come before
   the constructor.  */
void ghcomp_start_once(void);

/* ------------------------------------------------------- display of affinity */

/* display-affinity-var: each thread of a parallel region tells where it runs
   when it first does, and when that changes.  Spec: 5.2, 21.2.5.  */

struct affinity_info ghcomp_affinity_info_of(const struct member *member);

/* Called by the member's thread, on entering a region.  */
void ghcomp_display_affinity(struct thread *self, const struct member *member);

/* ---------------------------------------------------------- names of workers */

/* The names of workers, as top -H, gdb, perf and /proc show them: "omp 1", ….  */

/* The lowest number that no living worker has; 0 when there is none.  Called by who starts the
   worker, so that the workers of a team that grows are numbered in the order of their places.  */
unsigned ghcomp_worker_name_take(void);
void ghcomp_worker_name_give_back(unsigned number);

/* On the worker itself, at its birth.  Cost: two system calls.  */
void ghcomp_worker_name_show(struct thread *self);

/* In a forked child: no worker is left.  `self`, if it was one, is the child's first thread, whose
   name is the process's, and gets back the one that it was born with.  Async-signal-safe.  */
void ghcomp_worker_name_after_fork(const struct thread *self);

#endif
