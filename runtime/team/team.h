/* Fork and join of teams; the context that a thread runs in.  */
#ifndef GHCOMP_TEAM_TEAM_H
#define GHCOMP_TEAM_TEAM_H

#include "base/inside.h"
#include "state/thread.h"
#include "team/thread.h"
#include "wait/lock.h"

/* What a parallel construct asks for.  */
struct region {
  void (*fn)(void *);
  void *data;
  const void *body;        /* the function that the program gave, if it is not fn; else NULL */
  unsigned threads;        /* num_threads, 0 when absent; 1 also for if(false) */
  unsigned bind;           /* proc_bind clause: enum proc_bind, 0 when absent */
  const struct thread_next *inner_list; /* num_threads with a list: what it says of regions inside; NULL when absent */
  enum preset preset;
  const struct loop *loop; /* with PRESET_LOOP: kind, count, …; with PRESET_SECTIONS: sections */
  struct taskgroup *group; /* of reduction(task, …) */
  bool carries_modes;      /* the workers have the master's floating-point modes from now on; else those that they had */
  bool detached;           /* nobody waits for the end: see ghcomp_team_leave */
};

/* How many threads the region gets if it starts now.  It may get fewer if the system refuses threads.
   Spec: 5.2, 10.1.1.  */
unsigned ghcomp_team_resolve(struct thread *self, const struct region *region);

/* omp_get_max_threads: how many threads the next region without a num_threads clause would have.
   At the outermost level that region then has exactly so many, whatever dyn-var says, and so have later
   ones of the same function.
   `caller`: the place in the program that asks.  */
unsigned ghcomp_team_ask(struct thread *self, const void *caller);

/* The calling thread begins to start a region, and handlers find it at work until the region runs.  If it is a handler itself
   that has interrupted such work, the region gets a context of its own; see interrupted.c.  */
void ghcomp_team_interrupt(struct thread *self);
static inline void ghcomp_team_prepare(struct thread *self)
{
  if (unlikely(ghcomp_is_inside()))
    ghcomp_team_interrupt(self);
  ghcomp_inside_begin();
}

/* The region of such a handler is over: the thread goes on with what it was at work on.  */
void ghcomp_team_resume(struct thread *self);

/* The thread ends.  */
void ghcomp_team_drop_spare(struct thread *self);

/* Starts the region.  Requires: ghcomp_team_prepare.  */
struct team *ghcomp_team_begin(struct thread *self, const struct region *region);

/* Both.  The caller is the region's thread 0 from here to the join, and executes fn itself.
   Spec: 5.2, 10.1.
   Cost: on a hot team, one line written for each worker.  */
static inline struct team *ghcomp_team_fork(struct thread *self, const struct region *region)
{
  ghcomp_team_prepare(self);
  return ghcomp_team_begin(self, region);
}

/* The implicit barrier at the region's end, and back to the outer context.  */
void ghcomp_team_join(struct thread *self);

/* A detached region (of a Haskell loop) has a master that is no OS thread.  The thread that forked
   it calls this after the fork, and each worker calls it at its end.  The last of them joins in the
   master's name.  `number`: of the member, 0 for the master.  */
void ghcomp_team_leave(struct team *team, unsigned number);

/* A member's first steps in a region.
   Called by: the thread that serves as the member.  */
void ghcomp_team_enter(struct thread *self, struct member *member);

/* The team of one in which a thread outside every region runs; NULL without memory.  */
struct team *ghcomp_team_make_initial(struct thread *thread);
void ghcomp_team_begin_initial(struct team *team, struct thread *thread); /* in such a team, which it is given */
void ghcomp_team_unmake_initial(struct team *team);

/* A nested initial context (target and teams regions on the host): a fresh
   initial task, level 0.  Returns what pop needs.  */
void *ghcomp_team_push_initial(struct icv *icv);
void ghcomp_team_pop_initial(void *saved);

/* In a forked child: m is the only member of its team, an orphan, until the region's end.  Hot
   teams below m are forgotten.  The orphan executes the tasks that m had deferred.  Tasks that
   other members had deferred or begun are lost.  So a wait in the team ends when no task is
   ready.  */
void ghcomp_team_isolate(struct member *m, struct thread *self);

/* Waits until no thread from outside still uses the team: a helper with its tasks, or the thread
   that fulfilled the last event.
   Requires: no task is left.  */
void ghcomp_team_wait_for_helpers(struct team *team);

/* Gives back the hot teams below m, and frees their workers for other teams of this master (team/pool.md).  */
void ghcomp_team_cool(struct member *m, const struct thread *master);

/* True: no task of the team is left, and none can come.  See barrier.md.
   Requires: all members are at the same barrier, or have joined.  */
bool ghcomp_team_is_quiescent(struct team *team);

/* The same, and no helper is left: no docked worker is counted in its member's `helpers`, and no thread that fulfills an event in
   the team's `region_state`.  A wait for the last task asks this before it sleeps.  Helpers raise
   `tasks_done` by a plain release, which a sleeper might miss.  Then they change that word and look
   for sleepers, both sequentially consistent, as the load here is.  */
bool ghcomp_team_is_left(struct team *team);

/* --------------------------------------------------------------------- teams */

/* The league of a teams construct on the host: its initial teams run one after another.  Spec: 5.2,
   10.2.  */

/* Executes fn once for each team.  0: the clause is absent.  */
void ghcomp_teams_run(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit);

/* teams inside target: the compiled code has the loop.  `first` begins a league of `num_teams`.
   Otherwise the next team begins.  False: there is none.  */
bool ghcomp_teams_next(struct thread *self, unsigned num_teams, unsigned thread_limit, bool first);

/* thread_limit clause: for the current initial task.  */
void ghcomp_teams_limit_threads(struct thread *self, unsigned limit);

/* ------------------------------------------------------------------- barrier */

/* The team barrier.  See barrier.md.  Spec: 5.2, 15.3.  */

/* For a team of several threads, or with tasks.  */
void ghcomp_barrier_wait_slowly(struct thread *self);

/* Returns when every member has arrived and every task of the team is complete.  Executes tasks
   meanwhile.
   Cost: one addition to a shared line, and one line read; in a team of one, a store.  */
static inline void ghcomp_barrier_wait(struct thread *self)
{
  struct team *team = self->member->team;
  if (unlikely(team->size != 1 || load_relaxed(&team->any_deferred)))
    ghcomp_barrier_wait_slowly(self);
  else
    store_relaxed(&team->construct_cancelled, 0);
}

/* The same where the region may be cancelled.  True: it was, and the caller leaves the region.  */
bool ghcomp_barrier_wait_cancel(struct thread *self);

/* Ends the barrier's phase if it can end.
   Called by: a thread from outside that has completed a task of the team, by fulfilling an
   event.  */
void ghcomp_barrier_look(struct team *team);

/* -------------------------------------------------------------- cancellation */

/* Cancellation.  Spec: 5.2, 11.2, 11.3.  */

/* The compiler's bits.  */
enum { CANCEL_PARALLEL = 1, CANCEL_LOOP = 2, CANCEL_SECTIONS = 4, CANCEL_TASKGROUP = 8 };

/* Cancels the innermost construct of the kind.  True: it is cancelled.  */
bool ghcomp_cancel_activate(struct thread *self, int which);

/* True: the construct is cancelled.  */
bool ghcomp_cancel_check(struct thread *self, int which);

/* -------------------------------------------------------------------- events */

/* Events of detached tasks.  */

/* omp_fulfill_event.  Nothing happens if the event's task was cancelled before its body began.
   Called by: any thread, also one that belongs to no team.  */
void ghcomp_event_fulfill(void *event);

/* ------------------------------------------------------------------ reduction */

/* How the member combines its values with the variables of a reduction.  */
enum reduction { REDUCE_IS_DONE, REDUCE_PLAINLY, REDUCE_BY_ATOMICS }; /* IS_DONE: another member has the values */

/* What the compiled code has for it.  */
struct reduction_code {
  lock_word *lock;                           /* the construct's */
  bool atomics;                              /* it has that form, too */
  void *values;                              /* a list of the member's values */
  void (*combine)(void *values, void *more); /* takes the values of one list into those of another; NULL: there is none */
};

/* Before the member combines them, and when it has.
   Cost: in a large team a few lines for each doubling of the team, and at most some microseconds for members that are late.  */
enum reduction ghcomp_reduce_begin(struct thread *self, const struct reduction_code *code);
void ghcomp_reduce_end(struct thread *self, lock_word *lock);

/* --------------------------------------------------------------------- reuse */

/* Descriptors of threads, and teams: fresh, or used before.  A call that finds a used one takes a lock for some instructions.  */

/* NULL: there is no memory.  A fresh descriptor gets a number that no other thread of the process had.  */
struct thread *ghcomp_reuse_try_thread(void);

/* Called when no thread runs behind the descriptor any more, or by that thread as its last act.  */
void ghcomp_reuse_return_thread(struct thread *thread);

/* A team for `capacity` threads or more, in state TEAM_BUSY; NULL: there is no memory.  */
struct team *ghcomp_reuse_try_team(unsigned capacity);

/* Requires: the team has no workers.  */
void ghcomp_reuse_return_team(struct team *team);

/* A fresh one for one thread, without malloc and without a lock.  It is never unmapped, and never given back.  */
struct team *ghcomp_reuse_map_team(void);

/* In a forked child, which has only the calling thread.  */
void ghcomp_reuse_after_fork(void);

#endif
