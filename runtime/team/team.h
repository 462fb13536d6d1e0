/* Fork and join of teams; the context that a thread runs in.  */
#ifndef GHCOMP_TEAM_TEAM_H
#define GHCOMP_TEAM_TEAM_H

#include "team/types.h"

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

#endif
