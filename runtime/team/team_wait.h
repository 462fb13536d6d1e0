/* What all waits of a team's members for each other share: a new task of the team ends their
   sleep.  */
#ifndef GHCOMP_TEAM_TEAM_WAIT_H
#define GHCOMP_TEAM_TEAM_WAIT_H

#include "machine/processors.h"
#include "state/thread.h"
#include "task/search.h"
#include "task/task_wait.h"
#include "wait/loop.h"
#include "wait/waiter.h"

#include <limits.h>

struct team_wait {
  struct wait wait;
  struct thread *self;
  struct team *team;
};

static inline struct team_wait ghcomp_team_wait_by(struct thread *self, struct team *team, unsigned pauses_per_look)
{
  return (struct team_wait){{.self = &self->waiter, .crew = &team->crew, .pauses_per_look = pauses_per_look,
                             .has_processors = ghcomp_team_has_processors(team)},
                            self, team};
}

static inline void ghcomp_team_wait_announce(struct wait *wait)
{
  ghcomp_task_prepare_sleep(((struct team_wait *)wait)->self, wait->crew);
}

static inline void ghcomp_team_wait_sleep(struct wait *wait)
{
  const struct team_wait *w = (struct team_wait *)wait;
  ghcomp_task_sleep_unless(w->self, load_seq_cst(&w->team->ready_hint) != 0);
}

/* ------------------------------------------------------------------ the crew */

/* A team, as wait/ sees it.  */

extern const struct crew_kind ghcomp_team_crews;

/* ----------------------------------------------------------------- spreading */

/* Where the threads of a team run.  See wait/parking.md, Two threads of a team on one processor.  */

/* Where the member was last seen.  All of a group are on the line of its first member.  So who looks for those on a processor
   fetches one line for eight of them.  */
static inline _Atomic int *ghcomp_team_seen_on(struct team *team, unsigned number)
{
  return &team->members[number - number % MEMBER_GROUP].seen_on[number % MEMBER_GROUP];
}

/* Publishes that the calling thread, which serves as the member, runs on this processor.  Members that wait for the thread yield
   if it was last on theirs; see wait/parking.md.  Writes the line only if it has changed.  A worker that docks may
   have lost its seat to another one, which publishes its own processor when its region begins.  */
static inline void ghcomp_team_publish_processor(struct team *team, unsigned number, int here)
{
  _Atomic int *seen_on = ghcomp_team_seen_on(team, number);
  if (load_relaxed(seen_on) != here + 1)
    store_relaxed(seen_on, here + 1);
}

/* How many of the team were last seen on the processor, but for that one (or NULL).  */
unsigned ghcomp_team_count_on(struct team *team, const struct waiter *but_for, int processor);

/* The calling thread may share its processor with others of its team: called at the start of a
   region, and after a yield in a wait.  Looks at the others only from time to time.  A worker that finds more of its team
   than its share, again and again, moves to another processor, unless it is bound to a place.
   Requires: the team's threads do not change meanwhile.  */
void ghcomp_spread_suspect(struct thread *self, struct team *team);

/* ------------------------------------------------------- gathering in a tree */

/* How the members of a large team meet (gather) and are called (relay).  See gather.md.  */

static inline bool ghcomp_gather_is_tree(const struct team *team)
{
  return unlikely(team->heads != team->size);
}

/* Decides whether a team of this size gathers in a tree.
   Requires: no member runs.  */
void ghcomp_gather_shape(struct team *team);

/* Sets all arrivals back to 0, after a cancelled region.
   Requires: no member runs.  */
void ghcomp_gather_reset(struct team *team);

/* The member arrives.  GATHER_TOP: it goes on to the team's counter, in a tree for all below it.  Else another member does so
   for it, and the result is the number of levels of groups whose last member it was.  The thread that arrives at the
   counter sees what this one did before.
   Requires: the team has a tree.  */
#define GATHER_TOP UINT_MAX
#define GATHER_LEVELS_OF_GROUP 2 /* of groups whose members are in one group of MEMBER_GROUP */
unsigned ghcomp_gather_climb(struct team *team, unsigned number, enum gathering what);

/* The member arrives.  True: it goes on to the team's counter.  */
static inline bool ghcomp_gather_is_head(struct team *team, unsigned number, enum gathering what)
{
  return !ghcomp_gather_is_tree(team) || ghcomp_gather_climb(team, number, what) == GATHER_TOP;
}

/* --------------------------------------------------------------------- relay */

/* Threads that have been called help to call the others.  See gather.md.  */

/* Sends mail to all workers of a team whose region is ready.  Returns when every worker has been
   taken; all have their mail before the region ends.
   Called by: the master.  */
void ghcomp_relay_assign_all(struct team *team, struct mail_content content);

/* Helps with the mails.  A worker that has slept helps with those of all.
   Called by: a worker that has its mail, before it begins.  */
void ghcomp_relay_assign_more(struct team *team, unsigned number, bool has_slept, struct mail_content content);

/* Wakes all members that sleep.
   Called by: the member that has ended a barrier's phase.  */
void ghcomp_relay_wake_all(struct team *team);

/* Helps with the wake-ups.
   Called by: a member that slept until the phase ended.  */
void ghcomp_relay_wake_more(struct team *team);

#endif
