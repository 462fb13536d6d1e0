/* The names of workers, as top -H, gdb, perf and /proc show them: "omp 1", ….  */
#ifndef GHCOMP_TEAM_WORKER_NAME_H
#define GHCOMP_TEAM_WORKER_NAME_H

#include "team/types.h"

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
