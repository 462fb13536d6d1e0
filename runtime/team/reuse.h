/* Descriptors of threads, and teams: fresh, or used before.  Each call takes a lock for some instructions.  */
#ifndef GHCOMP_TEAM_REUSE_H
#define GHCOMP_TEAM_REUSE_H

#include "state/team.h"
#include "state/thread.h"

/* NULL: there is no memory.  A fresh descriptor gets a number that no other thread of the process had.  */
struct thread *ghcomp_reuse_try_thread(void);

/* Called when no thread runs behind the descriptor any more, or by that thread as its last act.  */
void ghcomp_reuse_return_thread(struct thread *thread);

/* A team for `capacity` threads or more, in state TEAM_BUSY; NULL: there is no memory.  */
struct team *ghcomp_reuse_try_team(unsigned capacity);

/* Requires: the team has no workers.  */
void ghcomp_reuse_return_team(struct team *team);

/* In a forked child, which has only the calling thread.  */
void ghcomp_reuse_after_fork(void);

#endif
