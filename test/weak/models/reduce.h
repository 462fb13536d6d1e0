/* Some members of a team that is large enough to combine values, at a reduction.  The others have not come yet, so whoever
   waits for them gives up.  */
#ifndef WEAK_REDUCE_H
#define WEAK_REDUCE_H

#include "made_team.h"
#include "simple_lock.h"
#include "team/team.h"

static _Atomic int total;

void ghcomp_lock_wake(lock_word *lock)
{
  (void)lock;
  weak_fail("nobody sleeps");
}

/* A wait that may be given up is, at once.  One that may not goes on, and is found if it goes on for ever.  */
static void make_hasty_members(void)
{
  make_members(17);
  team->within_processors = true;
  ghcomp_parking_configure(2, &(unsigned long long){1});
  ghcomp_parking_awake(100);
  for (unsigned i = 0; i < 17; i++)
    thread[i]->waiter.sleeps_left = 1000;
}

static void add(void *to, void *from)
{
  *(int *)to += *(int *)from;
}

/* Whoever has the values afterwards adds them to the variable.  */
static void reduce(unsigned number, int *values)
{
  struct reduction_code code = {.atomics = true, .values = values, .combine = add};
  if (ghcomp_reduce_begin(thread[number], &code) != REDUCE_IS_DONE)
    add_relaxed_at(0, &total, *values);
  *values = 0; /* they are the member's again */
}

#endif
