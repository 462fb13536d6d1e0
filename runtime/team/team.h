/* Fork and join of teams; the context that a thread runs in.  */
#ifndef GHCOMP_TEAM_TEAM_H
#define GHCOMP_TEAM_TEAM_H

#include "state/thread.h"
#include "team/thread.h"

/* What a parallel construct asks for.  */
struct region {
  void (*fn)(void *);
  void *data;
  unsigned threads;        /* num_threads, 0 when absent; 1 also for if(false) */
  unsigned bind;           /* proc_bind clause: enum proc_bind, 0 when absent */
  enum preset preset;
  const struct loop *loop; /* with PRESET_LOOP: kind, count, …; with PRESET_SECTIONS: sections */
  struct taskgroup *group; /* of reduction(task, …) */
  bool detached;           /* nobody waits for the end: see ghcomp_team_leave */
};

/* How many threads the region will get if it starts now (it may get fewer
   when threads cannot be had).  Spec: 5.2, 10.1.1.  */
unsigned ghcomp_team_resolve(struct thread *self, unsigned requested);

/* omp_get_max_threads: how many the next region of no number would have, and at the outermost
   level then has, whatever dyn-var says: who asks may count on all of them.  */
unsigned ghcomp_team_ask(struct thread *self);

/* Starts the region; the caller is its thread 0 from here to the join, and
   runs fn itself.  Cost on a hot team: one line written per worker.
   Spec: 5.2, 10.1.  */
struct team *ghcomp_team_fork(struct thread *self, const struct region *region);

/* The implicit barrier at the region's end, and back to the outer context.  */
void ghcomp_team_join(struct thread *self);

/* A detached region has a master that is no OS thread (a Haskell loop's): after the
   fork, whoever made it calls this, and each worker does at its end.  The last of
   them joins for the master.  `number`: the member's, 0 for the master.  */
void ghcomp_team_leave(struct team *team, unsigned number);

/* A member's first steps in a region; called by the thread that serves.  */
void ghcomp_team_enter(struct thread *self, struct member *member);

/* The team of one in which a thread outside every region runs; NULL without memory.  */
struct team *ghcomp_team_make_initial(struct thread *thread);
void ghcomp_team_unmake_initial(struct team *team);

/* A nested initial context (target and teams regions on the host): a fresh
   initial task, level 0.  Returns what pop needs.  */
void *ghcomp_team_push_initial(struct icv *icv);
void ghcomp_team_pop_initial(void *saved);

/* In a forked child: m's team is m alone, an orphan, to the end of its region; hot teams below it
   are forgotten.  It runs the tasks that m had deferred.  What other members had deferred or
   begun is lost, so a wait in the team is over when no task is ready: nobody else can make
   one.  */
void ghcomp_team_isolate(struct member *m, struct thread *self);

/* Until nobody outside the team, who has helped with its tasks or fulfilled the last
   event, is still at it.  Requires: no task is left.  */
void ghcomp_team_wait_for_helpers(struct team *team);

/* Gives back the hot teams below m, so that their workers are free.  */
void ghcomp_team_cool(struct member *m);

/* No task of the team is left, running or to come.  See barrier.md.
   Requires: all members are at the same barrier, or joined.  */
bool ghcomp_team_is_quiescent(struct team *team);

/* The same, and whoever completed one from outside of the team's members' waits (a docked
   worker, a thread that fulfilled an event) has left `helpers`: what a wait for the last task
   asks before it sleeps.  Those raise `tasks_done` by a plain release, which a sleeper might
   miss; then they change `helpers` and look at the announcements, both sequentially
   consistent, as the load here is.  */
bool ghcomp_team_is_left(struct team *team);

/* --------------------------------------------------------------------- teams */

/* The league of a teams construct on the host: one initial team after another.
   Spec: 5.2, 10.2.  */

/* Runs fn once per team.  0 stands for an absent clause.  */
void ghcomp_teams_run(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit);

/* teams inside target: the compiler loops itself.  first begins a league of
   `num_teams`; otherwise the next team's turn comes, or false.  */
bool ghcomp_teams_next(struct thread *self, unsigned num_teams, unsigned thread_limit, bool first);

/* thread_limit clause: for the current initial task.  */
void ghcomp_teams_limit_threads(struct thread *self, unsigned limit);

/* ------------------------------------------------------------------- barrier */

/* The team barrier.  See barrier.md.  Spec: 5.2, 15.3.  */

/* Where there are others, or tasks.  */
void ghcomp_barrier_wait_slowly(struct thread *self);

/* Returns when every member has arrived and every task of the team that was
   created before is complete; runs tasks meanwhile.
   Cost: one addition to a shared line and one line read; alone, a store.  */
static inline void ghcomp_barrier_wait(struct thread *self)
{
  struct team *team = self->member->team;
  if (unlikely(team->size != 1 || load_relaxed(&team->tasking)))
    ghcomp_barrier_wait_slowly(self);
  else
    store_relaxed(&team->construct_cancelled, 0);
}

/* The same where the region may be cancelled: true when it was, and then the
   caller leaves the region.  */
bool ghcomp_barrier_wait_cancel(struct thread *self);

/* Completes the barrier if it can complete; called by whoever completed a task
   of the team from outside (an event fulfilled by another thread).  */
void ghcomp_barrier_look(struct team *team);

/* -------------------------------------------------------------- cancellation */

/* Cancellation.  Spec: 5.2, 11.2, 11.3.  */

/* The compiler's bits.  */
enum { CANCEL_PARALLEL = 1, CANCEL_LOOP = 2, CANCEL_SECTIONS = 4, CANCEL_TASKGROUP = 8 };

/* Cancels the innermost construct of the kind; true when it is cancelled.  */
bool ghcomp_cancel_activate(struct thread *self, int which);

/* Has somebody cancelled it?  */
bool ghcomp_cancel_check(struct thread *self, int which);

/* -------------------------------------------------------------------- events */

/* Events of detached tasks.  */

struct task;

/* omp_fulfill_event.  Any thread may call it, one of no team too.  */
void ghcomp_event_fulfill(struct task *task);

#endif
