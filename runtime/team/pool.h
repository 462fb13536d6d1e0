/* All worker threads of the process: whose each is, and where.  See pool.md.  */
#ifndef GHCOMP_TEAM_POOL_H
#define GHCOMP_TEAM_POOL_H

#include "state/thread.h"
#include "wait/parking.h"

/* Gives team->members[workers+1 … wanted] a thread each, as far as threads can be had, and raises
   team->workers.  Order of supply: free workers that may serve the master; in a Haskell program workers of idle teams; new threads
   while the pool has fewer than `most`.  If the system refuses a thread, free workers and idle nested teams end first (not in a
   Haskell program).  If it refuses still, the team leaves some of its new workers to others, one message says so, and the pool does
   not ask again at once.
   Called by: the team's master.
   Requires: the team is not IDLE.  */
void ghcomp_pool_supply(struct team *team, unsigned wanted, unsigned most, const struct thread *master);

/* The pool is stripping the team, or has stripped it: waits until that is done, and makes the team
   BUSY.  */
void ghcomp_pool_await_strip(struct team *team);

/* Moves the workers above `kept` to the free list.
   Called by: the team's master.  */
void ghcomp_pool_release(struct team *team, unsigned kept, const struct thread *master);

/* One message in a process: a team has fewer workers than it wanted, and why.  With GHCOMP_REFUSED_THREADS=end it is the
   program's last one.  */
void ghcomp_pool_say_refused(const char *why, unsigned wanted, unsigned have);

/* Tells all idle workers, of all masters, to end, and waits until the system has them no more (omp_pause_resource); but not for
   ever, because code of the program may run while they end.  */
void ghcomp_pool_end_idle(void);

/* The thread ends, and has given its teams back: the workers that may serve only it end, too.  */
void ghcomp_pool_end_owned(const struct thread *owner);

/* Count native threads of the program: one has met the runtime; one has given its teams back and is
   about to end.  */
void ghcomp_pool_add_master(void);
void ghcomp_pool_remove_master(void);

/* The keeper calls this from time to time: it ends surplus workers, perhaps the keeper itself.
   Cost: a look at the clock.  */
void ghcomp_pool_keep(struct thread *keeper);

/* Nanoseconds until the keeper should look again.  */
uint64_t ghcomp_pool_ns_to_look(void);

/* In a forked child, which has only the calling thread.  */
void ghcomp_pool_after_fork(void);

/* Workers alive, for `ghcomp info` and the tests.  */
unsigned ghcomp_pool_workers(void);

/* These and the native threads that have met the runtime.  */
unsigned ghcomp_pool_threads(void);

/* ------------------------------------------------------------------- workers */

/* The life of a worker thread.  */

/* Starts an OS thread behind the descriptor; it waits for its first
   assignment.  Returns 0 or an errno value.  `signals`: that it blocks.  Requires: the calling thread blocks all.  */
int ghcomp_worker_start(struct thread *worker, uint64_t signals);

/* Tells a free worker to end.  */
void ghcomp_worker_dismiss(struct thread *worker);

static inline void ghcomp_worker_send(struct thread *worker, struct member *member)
{
  worker->mail.assignment = member;
  /* Pairs with the load in has_mail (worker.c), which sees what the master wrote into the team.  It
     is sequentially consistent because of the worker's announcement that it goes to sleep.  */
  swap_seq_cst(&worker->mail.number, load_relaxed(&worker->mail.number) + 1);
  ghcomp_parking_wake(&worker->waiter);
}

/* Sends the worker its place in a team.  The worker begins at once.  What changes with every region
   is sent with the mail, on the one line that the worker waits for.
   Called by: the team's master, which owns the worker, or a member that has taken this from it
   (team_wait.h) and passes on what is in its own mail.  */
static inline void ghcomp_worker_assign(struct thread *worker, struct member *member, struct mail_content content)
{
  worker->mail.content = content;
  ghcomp_worker_send(worker, member);
}

#endif
