/* What the waits of a team's members for each other have in common: tasks of the team end their sleep.  */
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

/* A team as those that wait in it see it.  */

extern const struct crew_kind ghcomp_team_crews;

/* ----------------------------------------------------------------- spreading */

/* Where the threads of a team run.

   The system puts two threads on one processor while another has none, more often than
   one would think, and leaves them there for a while.  Threads say where they are;
   a worker that finds more of its team on its processor than is its share, again and
   again, leaves it.  Not where places bind it.  */

/* Says where the calling thread is; returns it.  The line is written when it changes.  */
static inline int ghcomp_spread_say(struct thread *self)
{
  int here = ghcomp_machine_here();
  if (load_relaxed(&self->waiter.processor) != here)
    store_relaxed(&self->waiter.processor, here);
  return here;
}

/* Called where the thread has reason to think so: at the start of a region, or after a
   yield in a wait.  Looks at the others now and then only.
   Requires: the team's threads do not change meanwhile.  */
void ghcomp_spread_suspect(struct thread *self, const struct team *team);

/* Where a worker has found itself on its master's processor, and where the master has waited for its
   turn and woke in a new place: keeps the workers of its team that were last on the master's
   processor off it until they have served.  They would begin after the master there, while another processor may
   be free.  Call before they have mail, when the master has said where it is.
   Cost: a load for each worker; three system calls for each that is kept off.  */
void ghcomp_spread_make_way(struct thread *self, struct team *team);

/* So often in a row a master does that; then ever more rarely.  */
enum { SPREAD_IN_A_ROW = 4 };

void ghcomp_spread_lift(struct thread *worker);

/* The worker has served, and may be on any processor again.  Relaxed: the master wrote it before
   it sent the mail.  */
static inline void ghcomp_spread_come_back(struct thread *worker)
{
  if (unlikely(load_relaxed(&worker->mail.kept_off) != 0))
    ghcomp_spread_lift(worker);
}

#endif
