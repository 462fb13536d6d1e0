/* What the start and the end of a region share: the quick halves of finding its size and its team.
   Only size.c, hot.c, fork.c, join.c and initial.c include this file.  */
#ifndef GHCOMP_TEAM_FORK_H
#define GHCOMP_TEAM_FORK_H

#include "admission/turn.h"
#include "state/thread.h"
#include "team/pool.h"
#include "team/team.h"

#include <limits.h>

/* ------------------------------------------------------------ how many threads: size.c */

/* What a region gets, whose size was requested or is the default, and is within the limits ("allowed").  */
struct admitted {
  unsigned threads;
  bool exact;   /* it may not have fewer because others compute */
  bool counted; /* in wait/running.h */
  bool of_call; /* it follows a question; see admission/ */
};

/* For a region of several threads.  */
struct admitted ghcomp_team_admit(struct thread *self, const struct region *region, unsigned allowed);

/* `threads`: the size that was requested by the region's clause or a setting; 0: none was.  */
unsigned ghcomp_team_resolve_several(struct thread *self, const struct region *region, unsigned threads);

static inline unsigned ghcomp_team_allowed(struct thread *self, const struct region *region)
{
  unsigned threads = region->threads != 0 ? region->threads : self->member->task->icv->nthreads;
  return threads == 1 ? 1 : ghcomp_team_resolve_several(self, region, threads);
}

/* Counts the team's workers against the thread limit of the contention group.  Returns how many
   threads the team may have.  */
static inline unsigned ghcomp_team_book(struct contention_group *group, const struct icv *icv,
                                        unsigned threads)
{
  if (icv->thread_limit == UINT_MAX || threads == 1)
    return threads;
  unsigned busy = load_relaxed(&group->threads), granted;
  do {
    unsigned left = busy < icv->thread_limit ? icv->thread_limit - busy : 0;
    granted = threads - 1 < left ? threads - 1 : left;
  } while (!cas_relaxed(&group->threads, &busy, busy + granted));
  return granted + 1;
}

static inline void ghcomp_team_unbook(struct team *team)
{
  const struct icv *icv = team->parent->task->icv;
  if (icv->thread_limit != UINT_MAX && team->size > 1)
    sub_relaxed(&team->contention->threads, team->size - 1);
}

/* ------------------------------------------------- beside Haskell threads: make_room.c */

/* The calling thread has ended a region of the outermost level in a Haskell program, and is about to return.  Yields if
   the RTS waits for a processor.
   Cost: two cache lines of each Capability, at most every 10 us for each; a yield at most every 300 us.  */
void ghcomp_make_room_for_haskell(struct thread *self);

/* ------------------------------------------------------------------ hot teams: hot.c */

/* A hot team that the pool has not stripped becomes BUSY.  Pairs with the compare-and-swap in
   pool.c: exactly one of the two has the workers.  The pool never strips a team that never had
   workers.  Relaxed: the caller itself made the team IDLE or, for a detached region, has seen that
   the last member to leave did.  */
static inline void ghcomp_team_wake_up(struct team *team)
{
  uint32_t expected = TEAM_IDLE;
  if (team->had_workers && unlikely(!cas_relaxed(&team->state, &expected, TEAM_BUSY)))
    ghcomp_pool_await_strip(team);
}

/* Gives the BUSY team that many threads; NULL: makes a new team below the member.  */
struct team *ghcomp_team_take_slowly(struct member *parent, struct team *team, unsigned size,
                                     const struct region *region, bool exact);

/* The team of `size` threads below the member, BUSY.  It is smaller if the system refuses
   threads.  */
static inline struct team *ghcomp_team_take(struct member *parent, unsigned size,
                                            const struct region *region, bool exact)
{
  struct team *team = parent->hot;
  if (team != NULL && team->capacity >= size) {
    ghcomp_team_wake_up(team);
    if (likely(team->workers + 1 == size && team->size == size))
      return team;
  } else {
    team = NULL;
  }
  return ghcomp_team_take_slowly(parent, team, size, region, exact);
}

/* --------------------------------------------------------------------------- members */

static inline void ghcomp_team_set_detached(struct team *team, bool detached)
{
  team->detached = detached;
  team->own_tasks_only = team->size == 1 || detached;
}

/* Binds the calling thread to the member's place.  In a Haskell program only workers are bound.
   Other threads belong to its RTS, which runs any Haskell thread on them, and lets new threads
   inherit their masks.  */
void ghcomp_team_bind_self(struct thread *self, struct member *member);

/* The same for a thread that goes on as that member after a region.  */
void ghcomp_team_bind_back(struct thread *self, struct member *member);

#endif
