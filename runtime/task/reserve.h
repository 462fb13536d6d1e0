/* How many ready tasks a member keeps for the others before it runs new ones at once.

   Tasks are for the others; when the deque holds the reserve, they have enough.  In a
   recursion that is true of nearly all tasks when a few are kept; where one thread
   produces for many others they empty the deque, and the reserve grows until they do
   not.  */
#ifndef GHCOMP_TASK_RESERVE_H
#define GHCOMP_TASK_RESERVE_H

#include "task/deque.h"
#include "team/types.h"

enum { FEWEST_RESERVE = 4, MOST_RESERVE = 256, CALM_TASKS = 64 };

/* More are in a deque only where they could neither run at once nor be waited for.  */
enum { PILED_UP = 2 * MOST_RESERVE };

/* The others have enough: the next task is to be run at once.  */
static inline bool ghcomp_reserve_holds_enough(const struct member *member)
{
  return ghcomp_deque_length(&member->deque) - FEWEST_RESERVE >= (int64_t)member->reserve;
}

/* The same where there may be no others.  */
static inline bool ghcomp_reserve_is_full(const struct member *member)
{
  return member->team->alone || ghcomp_reserve_holds_enough(member);
}

/* A task is about to be deferred: the reserve grows when thieves left nothing, and gets
   smaller after a while without thieves.  */
static inline void ghcomp_reserve_adjust(struct member *member)
{
  int64_t stolen = ghcomp_deque_stolen(&member->deque);
  unsigned whole = FEWEST_RESERVE + member->reserve;
  if (stolen != member->stolen) {
    member->stolen = stolen;
    member->calm = 0;
    if (ghcomp_deque_length(&member->deque) == 0 && whole < MOST_RESERVE)
      member->reserve = 2 * whole - FEWEST_RESERVE;
  } else if (++member->calm == CALM_TASKS) {
    member->calm = 0;
    member->reserve = whole < 2 * FEWEST_RESERVE ? 0 : whole / 2 - FEWEST_RESERVE;
  }
}

#endif
