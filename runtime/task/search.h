/* Which idle threads look for tasks.

   If all idle threads of a large team looked for each task, its producer would wait for the lines
   that they read.  So one idle thread of a group of members is its searcher.  The others look at a
   line of the group.  When the searcher has found a task, or has something else to do, one of them
   follows it, and begins at the victim that had the task, or at this thread, if it has taken several.

   Invariant: while members of a group spin, one of them is the searcher, or the next look of one
   makes it so.  A searcher may have lost its processor.  So before a thread sleeps because it has
   spun for long, it looks for a task itself, unless the searcher has changed since its last such
   question; and so it does after a sleep.

   Models: test/weak/models/search.c, search_docked.c, hint_searchers.c.

   No wake-up depends on this.  The looks between the announcement of a sleep and the sleep are made
   by every thread, as parking.md demands.  The words order nothing, so all accesses are relaxed; two
   threads of a group that look cost transfers and do no harm.

   A docked worker searches, too (team/worker.c).  It may have lost its team, so before it has entered the region it reads and writes
   only what no master changes: words of teams, whose memory stays, and what is its own.  So it has noted its group before it
   left the region, and the victim is the thread's and not the member's.  At most one thread is the searcher of a group, also if it
   belongs to another team by now, because only that thread changes an odd `changes`.

   In a team of up to ALL_SEARCH threads all look: with searchers a simulated tree of tasks of 16 threads took 1.07 times as long.
   Simulated trees of tasks at a barrier of 32 and 64 threads took 1.05 to 1.1 times as long with groups of 16 as with groups of 8,
   because idle threads found tasks later.  With more than MOST_SEARCHERS groups one producer of tasks took 2.2 times as long in a
   team of 128.  At a join, with half as many searchers, one producer takes 0.7 times as long in teams of 64 and 128, and a tree of 64
   threads 1.15 times.  */
#ifndef GHCOMP_TASK_SEARCH_H
#define GHCOMP_TASK_SEARCH_H

#include "state/thread.h"
#include "task/deque.h"

enum { ALL_SEARCH = 16, SMALLEST_GROUP = 8, MOST_SEARCHERS = 8, MOST_SEARCHERS_AT_JOIN = 4 };

/* Whether the member's team is so large that not all who are idle look for tasks.  */
static inline bool ghcomp_search_is_by_groups(const struct member *member)
{
  return member->search_group[GATHER_BARRIER] != NULL;
}

/* Divides the members into groups.
   Requires: no member runs.  */
void ghcomp_search_shape(struct team *team);

/* The thread does not look for tasks any more, or has found one.  */
static inline void ghcomp_search_end(struct thread *self)
{
  struct search_group *group = self->tasks.searches_for;
  if (likely(group == NULL))
    return;
  self->tasks.searches_for = NULL;
  const struct member *member = self->member;
  bool took_more = ghcomp_deque_length(&member->deque) > 0; /* a batch */
  store_relaxed(&group->victim, took_more ? member->number : self->tasks.victim);
  store_relaxed(&group->changes, load_relaxed(&group->changes) + 1);
}

/* Whether this thread is to look for tasks now.  */
bool ghcomp_search_is_mine(struct thread *self, struct search_group *group);

/* A look of a thread that spins: there may be a task, and the thread is to look for it.  `group`: the thread's, in this
   team.  */
static inline bool ghcomp_search_pays(struct thread *self, struct search_group *group, const struct team *team)
{
  return (likely(group == NULL) ||
          (load_relaxed(&team->any_deferred) && ghcomp_search_is_mine(self, group))) && /* without tasks there is no searcher */
         load_relaxed(&team->ready_hint) != 0;
}

/* Whether there may be a task for a thread that has spun for as long as it should.  */
bool ghcomp_search_goes_on_in_group(struct thread *self, struct search_group *group, const struct team *team);

/* The thread has spun for as long as it should.  True: it spins again.  */
static inline bool ghcomp_search_goes_on(struct thread *self, struct search_group *group, const struct team *team)
{
  return unlikely(group != NULL) && ghcomp_search_goes_on_in_group(self, group, team);
}

#endif
