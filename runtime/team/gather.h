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

#include "team/types.h"

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

#endif
