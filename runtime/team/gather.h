/* How the members of a large team come together.

   A small team counts arrivals on one line, which each arriver has to fetch from the
   one before: as many transfers in a row as there are threads.  In a large one groups of
   GATHER_WIDTH count on a line of their own, the last of each group goes on to the next
   level, and only the heads of the uppermost groups come to the team's counter.  The
   groups of a level count at the same time, so that a team of 16 waits for 4 + 4
   transfers in place of 16, and one of 64 for 12.  (Yew, Tzeng, Lawrie: Distributing
   hot-spot addressing in large-scale multiprocessors, IEEE TC C-36(4), 1987.)

   What ends at the team's counter is the same in both shapes: see barrier.md.  */
#ifndef GHCOMP_TEAM_GATHER_H
#define GHCOMP_TEAM_GATHER_H

#include "state/thread.h"

static inline bool ghcomp_gather_is_tree(const struct team *team)
{
  return unlikely(team->heads != team->size);
}

/* Decides the shape of a team that has got its size.
   Requires: no member runs.  */
void ghcomp_gather_shape(struct team *team);

/* After a region that was cancelled: nobody counts as arrived.
   Requires: no member runs.  */
void ghcomp_gather_reset(struct team *team);

bool ghcomp_gather_climb(struct team *team, unsigned number, unsigned width, enum gathering what);

/* The `number`-th of `width` arrives.  True: it arrives at the team's counter next, for all
   below it in a tree.  False: somebody else will.  What it did before is seen by whoever
   arrives there.  */
static inline bool ghcomp_gather_is_head(struct team *team, unsigned number, unsigned width,
                                         enum gathering what)
{
  return !ghcomp_gather_is_tree(team) || ghcomp_gather_climb(team, number, width, what);
}

/* --------------------------------------------------------------------- relay */

/* How many threads are called without one thread's doing all of it.

   To write a worker's mailbox costs a transfer, and to wake one that sleeps costs a
   system call of a microsecond or two, so that the last worker of a large team would
   begin after all the others have been called.  Here whoever has been called calls
   others: each takes the next few that nobody has taken.  Who calls whom forms a tree
   that grows as fast as threads come up, and a thread that the system keeps from running
   holds up nobody but those it has taken; in a tree that is fixed beforehand it would
   hold up all that are below it.  */

/* The master's: mails to all workers of a team whose region is ready.  Returns when no
   worker is left to be taken; all have been called by the time the region is over.  */
void ghcomp_relay_assign_all(struct team *team);

/* A worker's that has got its mail, before it begins: helps.  */
void ghcomp_relay_assign_more(struct team *team);

/* Who has ended a barrier's phase: wakes all members that sleep.
   Called by: a member of the team.  */
void ghcomp_relay_wake_all(struct team *team);

/* A member's that slept until a phase ended: helps.  */
void ghcomp_relay_wake_more(struct team *team);

#endif
