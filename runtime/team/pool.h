/* The one pool of worker threads of the process.

   A worker is docked at a team or in the pool's free list.  A team asks for
   workers when it grows and keeps them after its region, so that the next
   region finds them warm; while it is idle the pool may take them away again
   for another team.  So the pool holds as many threads as were busy at one time,
   however many threads start regions, and those that nobody has wanted for a while
   end (pool.c: Note [How workers end]).  */
#ifndef GHCOMP_TEAM_POOL_H
#define GHCOMP_TEAM_POOL_H

#include "state/thread.h"
#include "wait/parking.h"

/* Gives team->members[workers+1 … wanted] a thread each, as far as threads can
   be had, and raises team->workers.  Order of supply: free workers, workers of
   idle teams, new threads while the pool has fewer than `most`.  Says so once when
   the system refuses a thread, and does not ask again at once.
   Called by: the team's master, the team not IDLE.  */
void ghcomp_pool_supply(struct team *team, unsigned wanted, unsigned most);

/* After the pool was seen to strip the team: waits until it is done, and makes
   the team BUSY.  */
void ghcomp_pool_await_strip(struct team *team);

/* Takes back the workers above `kept`.  Same caller.  */
void ghcomp_pool_release(struct team *team, unsigned kept);

/* Descriptors and teams, fresh or reused; NULL without memory.  */
struct thread *ghcomp_pool_try_thread(void);
void ghcomp_pool_return_thread(struct thread *thread);
struct team *ghcomp_pool_try_team(unsigned capacity);
void ghcomp_pool_return_team(struct team *team);

/* Says, once in a process, that a team has fewer workers than it wanted, and why.  */
void ghcomp_pool_say_refused(int error, unsigned wanted, unsigned have);

/* Lets idle workers end (omp_pause_resource).  */
void ghcomp_pool_drain(void);

/* A native thread that is not ours has met the runtime; and is about to end, its teams
   given back.  */
void ghcomp_pool_master_comes(void);
void ghcomp_pool_master_goes(void);

/* The worker that keeps the pool calls this now and then: ends workers that are too many,
   itself among them perhaps.  Cost: a look at the clock.  */
void ghcomp_pool_keep(struct thread *keeper);

/* Nanoseconds until it should.  */
uint64_t ghcomp_pool_patience(void);

/* In a forked child, which has the calling thread only.  */
void ghcomp_pool_after_fork(void);

/* Workers alive, for `ghcomp info` and the tests.  */
unsigned ghcomp_pool_workers(void);

/* ------------------------------------------------------------------- workers */

/* The life of a worker thread.  */

/* Starts an OS thread behind the descriptor; it waits for its first
   assignment.  `avoid`: see spawn in substrate.h.  Returns 0 or an errno value.  */
int ghcomp_worker_start(struct thread *worker, int avoid);

/* Tells a free worker to end.  */
void ghcomp_worker_dismiss(struct thread *worker);

static inline void ghcomp_worker_send(struct thread *worker, struct member *member)
{
  worker->mail.assignment = member;
  /* Pairs with the load_acquire in worker.c (what the master wrote into the
     team is seen) and, being sequentially consistent, with the worker's
     announcement that it goes to sleep.  */
  swap_seq_cst(&worker->mail.number, load_relaxed(&worker->mail.number) + 1);
  ghcomp_parking_wake(&worker->waiter);
}

/* Hands the worker its place in a team; it begins at once.  What changes with every region
   travels in the mail, on the one line that the worker waits for.
   Called by: the team's master, which owns the worker, or a member that has taken
   this from it (gather.h).  */
static inline void ghcomp_worker_assign(struct thread *worker, struct member *member,
                                        const struct team *team)
{
  worker->mail.region = team->region;
  worker->mail.goal = team->goal;
  worker->mail.master_processor = load_relaxed(&team->members[0].thread->waiter.processor);
  ghcomp_worker_send(worker, member);
}

#endif
