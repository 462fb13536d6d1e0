/* The life of a worker thread.  */
#ifndef GHCOMP_TEAM_WORKER_H
#define GHCOMP_TEAM_WORKER_H

#include "team/types.h"

/* Starts an OS thread behind the descriptor; it waits for its first
   assignment.  `avoid`: see spawn in substrate.h.  Returns 0 or an errno value.  */
int ghcomp_worker_start(struct thread *worker, int avoid);

/* Hands the worker its place in a team; it begins at once.
   Called by: the team's master, which owns the worker, or a member that has taken
   this from it (relay.h).  */
static inline void ghcomp_worker_assign(struct thread *worker, struct member *member,
                                        const struct team *team);

/* Tells a free worker to end.  */
void ghcomp_worker_dismiss(struct thread *worker);

#include "wait/parking.h"

static inline void ghcomp_worker_send(struct thread *worker, struct member *member)
{
  worker->assignment = member;
  /* Pairs with the load_acquire in worker.c (what the master wrote into the
     team is seen) and, being sequentially consistent, with the worker's
     announcement that it goes to sleep.  */
  swap_seq_cst(&worker->mail, load_relaxed(&worker->mail) + 1);
  ghcomp_parking_wake(&worker->waiter);
}

/* What changes with every region travels in the mail, on the one line that the worker
   waits for.  */
static inline void ghcomp_worker_assign(struct thread *worker, struct member *member,
                                        const struct team *team)
{
  worker->region = team->region;
  worker->goal = team->goal;
  worker->master_processor = load_relaxed(&team->members[0].thread->waiter.processor);
  ghcomp_worker_send(worker, member);
}

#endif
