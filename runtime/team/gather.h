/* How the members of a large team meet (gather) and are called (relay).  See gather.md.  */
#ifndef GHCOMP_TEAM_GATHER_H
#define GHCOMP_TEAM_GATHER_H

#include "state/thread.h"

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

bool ghcomp_gather_climb(struct team *team, unsigned number, unsigned width, enum gathering what);

/* The `number`-th of `width` threads arrives.  True: it goes on to the team's counter, in a tree
   for all below it.  False: another thread does so for it.  The thread that arrives at the counter
   sees what this one did before.  */
static inline bool ghcomp_gather_is_head(struct team *team, unsigned number, unsigned width,
                                         enum gathering what)
{
  return !ghcomp_gather_is_tree(team) || ghcomp_gather_climb(team, number, width, what);
}

/* --------------------------------------------------------------------- relay */

/* Threads that have been called help to call the others.  See gather.md.  */

/* Sends mail to all workers of a team whose region is ready.  Returns when every worker has been
   taken; all have their mail before the region ends.
   Called by: the master.  */
void ghcomp_relay_assign_all(struct team *team);

/* Helps with the mails.
   Called by: a worker that has its mail, before it begins.  */
void ghcomp_relay_assign_more(struct team *team);

/* Wakes all members that sleep.
   Called by: the member that has ended a barrier's phase.  */
void ghcomp_relay_wake_all(struct team *team);

/* Helps with the wake-ups.
   Called by: a member that slept until the phase ended.  */
void ghcomp_relay_wake_more(struct team *team);

#endif
