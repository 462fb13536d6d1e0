/* What all waits of a team's members for each other share: a new task of the team ends their
   sleep.  */
#ifndef GHCOMP_TEAM_TEAM_WAIT_H
#define GHCOMP_TEAM_TEAM_WAIT_H

#include "machine/processors.h"
#include "state/thread.h"
#include "task/task_wait.h"
#include "wait/loop.h"
#include "wait/waiter.h"

struct team_wait {
  struct wait wait;
  struct thread *self;
  struct team *team;
};

static inline struct team_wait ghcomp_team_wait_by(struct thread *self, struct team *team, unsigned gap)
{
  return (struct team_wait){{&self->waiter, &team->crew, gap, ghcomp_team_has_processors(team)}, self, team};
}

static inline void ghcomp_team_wait_announce(struct wait *wait)
{
  ghcomp_task_prepare_sleep(((struct team_wait *)wait)->self, wait->crew);
}

static inline void ghcomp_team_wait_sleep(struct wait *wait)
{
  const struct team_wait *w = (struct team_wait *)wait;
  ghcomp_task_sleep_unless(w->self, load_seq_cst(&w->team->hint) != 0);
}

/* ------------------------------------------------------------------ the crew */

/* A team, as wait/ sees it.  */

extern const struct crew_kind ghcomp_team_crews;

/* ----------------------------------------------------------------- spreading */

/* Where the threads of a team run.  See wait/parking.md, Two threads of a team on one processor.

   Threads publish their processor.  A worker that finds more of its team on its processor than its
   share, again and again, moves to another one, unless it is bound to a place.  */

/* Publishes the calling thread's processor, and returns it.  Writes the line only if it has
   changed.  */
static inline int ghcomp_spread_say(struct thread *self)
{
  int here = ghcomp_machine_here();
  if (load_relaxed(&self->waiter.processor) != here)
    store_relaxed(&self->waiter.processor, here);
  return here;
}

/* The calling thread may share its processor with others of its team: called at the start of a
   region, and after a yield in a wait.  Looks at the others only from time to time.
   Requires: the team's threads do not change meanwhile.  */
void ghcomp_spread_suspect(struct thread *self, const struct team *team);

/* Keeps the workers of the team that were last on the master's processor off it until they have
   served.  On that processor they would begin after the master, while another one may be free.
   Called after a worker has found itself on the master's processor, or after the master has waited
   for its turn and woke on another processor; before the workers have mail, and when the master has
   published its processor.
   Cost: a load for each worker; three system calls for each worker that is kept off.  */
void ghcomp_spread_make_way(struct thread *self, struct team *team);

/* How many times in a row a master does that.  Later times become rare.  */
enum { SPREAD_IN_A_ROW = 4 };

void ghcomp_spread_lift(struct thread *worker);

/* The worker has served, and may run on any processor again.  Relaxed: the master wrote `kept_off`
   before it sent the mail.  */
static inline void ghcomp_spread_come_back(struct thread *worker)
{
  if (unlikely(load_relaxed(&worker->mail.kept_off) != 0))
    ghcomp_spread_lift(worker);
}

#endif
