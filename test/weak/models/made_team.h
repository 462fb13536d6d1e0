/* A team in the middle of a region, and the threads of its members.  Nothing depends on time, and
   no thread spins.  */
#ifndef WEAK_MADE_TEAM_H
#define WEAK_MADE_TEAM_H

#include "state/thread.h"
#include "task/stack.h"
#include "team/team_wait.h"
#include "wait/parking.h"

#define MOST 17

#pragma weak ghcomp_parking_configure /* models without waits do not define it */

static struct thread *thread[MOST];
static struct team *team;

static unsigned size_of_team(const struct crew *crew)
{
  (void)crew;
  return team->size;
}

static struct waiter *waiter_of_team(const struct crew *crew, unsigned number)
{
  (void)crew;
  return team->members[number].thread != NULL ? &team->members[number].thread->waiter : NULL;
}

static bool never_fits(const struct crew *crew)
{
  (void)crew;
  return false;
}

static struct crew *no_crew(struct waiter *self)
{
  (void)self;
  return NULL;
}

static void suspect_nothing(struct waiter *self, const struct crew *crew)
{
  (void)self, (void)crew;
}

static bool has_none_on(const struct crew *crew, const struct waiter *self, int processor)
{
  (void)crew, (void)self, (void)processor;
  return false;
}

/* The team is the only crew.  */
static const struct crew_kind made_crews = {size_of_team, waiter_of_team, never_fits, no_crew, suspect_nothing, has_none_on};

static void make_members(unsigned size)
{
  if (ghcomp_parking_configure != NULL)
    ghcomp_parking_configure(0, NULL);
  ghcomp_crew_kind = &made_crews;
  weak_thread_local(&ghcomp_waiter_self, sizeof ghcomp_waiter_self);
  weak_thread_local(&ghcomp_self_pointer, sizeof ghcomp_self_pointer);
  weak_thread_local(&ghcomp_self_number, sizeof ghcomp_self_number);
  team = weak_alloc(sizeof *team + size * sizeof team->members[0]);
  team->size = team->heads = team->capacity = size;
  team->worker_heads = team->workers = size - 1;
  team->active_level = team->level = 1;
  team->stack_share = STACK_PART_MOST;
  for (unsigned i = 0; i < size; i++) {
    struct member *m = &team->members[i];
    thread[i] = weak_alloc(sizeof *thread[i]);
    thread[i]->member = m;
    m->team = team;
    m->number = i;
    m->thread = thread[i];
    m->task = &m->implicit;
    m->implicit.team = team;
    m->implicit.flags = TASK_IMPLICIT;
    m->implicit.runner = thread[i];
  }
}

/* Makes the calling thread that member.  */
static struct thread *be(unsigned number)
{
  ghcomp_self_becomes(thread[number]);
  return thread[number];
}

#endif
