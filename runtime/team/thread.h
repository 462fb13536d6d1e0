/* Threads that meet the runtime.  */
#ifndef GHCOMP_TEAM_THREAD_H
#define GHCOMP_TEAM_THREAD_H

#include "team/types.h"

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

#endif
