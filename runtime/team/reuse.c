/* Descriptors of threads and teams that nobody uses, for the next that needs one.

   Invariants: neither is ever unmapped, so a thread that still looks at a team from which it was taken
   reads valid memory.  Only the holder of the lock takes one out of a list.  So the first one stays in its
   list, with the same successor, while the holder puts that one in its place.

   Many threads that begin or end at once, each with a team of its own, would wait for each other at a lock.
   So they return both without it, and who sees an empty list makes a new one.  */
#include "team/team.h"

#include "base/memory.h"
#include "base/stats.h"
#include "machine/process.h"
#include "task/stack.h"
#include "task/steal.h"
#include "team/helper_number.h"
#include "wait/lock.h"
#include "work/slots.h"

#include <string.h>

#define CLASSES 32 /* of team capacity: powers of two */

static struct {
  lock_word lock; /* of who takes */
  struct thread *_Atomic threads;
  struct team *_Atomic teams[CLASSES];
  _Atomic unsigned made; /* descriptors, so far */
} unused;

static struct thread *make_thread(void)
{
  struct thread *thread = ghcomp_memory_try_lines(sizeof *thread);
  if (thread == NULL)
    return NULL;
  unsigned n = add_relaxed(&unused.made, 1); /* unique, and orders nothing */
  thread->global_number = thread->own_number = ghcomp_helper_number_leave_out(n);
  ghcomp_stats_watch(&thread->waiter.counters);
  return thread;
}

static struct thread *take_thread(void)
{
  if (load_relaxed(&unused.threads) == NULL)
    return NULL;
  ghcomp_lock_own(&unused.lock);
  struct thread *thread = load_acquire(&unused.threads);                         /* both pair with ghcomp_reuse_return_thread */
  while (thread != NULL && !cas_acquire(&unused.threads, &thread, thread->next)) /* another one was returned */
    ;
  ghcomp_unlock_own(&unused.lock);
  return thread;
}

struct thread *ghcomp_reuse_try_thread(void)
{
  struct thread *thread = take_thread();
  return thread != NULL ? thread : make_thread();
}

void ghcomp_reuse_return_thread(struct thread *thread)
{
  thread->next = load_relaxed(&unused.threads);
  while (!cas_release(&unused.threads, &thread->next, thread)) /* pairs with take_thread */
    ;
}

static unsigned class_of(unsigned capacity)
{
  unsigned class = 0;
  while ((1u << class) < capacity)
    class++;
  return class;
}

static void make_members(struct team *team, unsigned capacity)
{
  team->capacity = capacity;
  for (unsigned i = 0; i < capacity; i++) {
    struct member *m = &team->members[i];
    m->team = team;
    m->number = i;
  }
}

static struct team *make_team(unsigned capacity)
{
  struct team *team = ghcomp_memory_try_lines(sizeof *team + capacity * sizeof(struct member));
  if (team == NULL)
    return NULL;
  make_members(team, capacity);
  if (ghcomp_slots_make(team))
    return team;
  ghcomp_memory_release(team);
  return NULL;
}

struct team *ghcomp_reuse_map_team(void)
{
  size_t size = sizeof(struct team) + sizeof(struct member);
  struct team *team = ghcomp_memory_demand(ghcomp_machine_map(size + sizeof(struct slot_block)), size);
  ghcomp_slots_make_in(team, (struct slot_block *)((char *)team + size));
  make_members(team, 1);
  team->size = team->heads = 1; /* so it is not resized, which may read files */
  team->own_tasks_only = team->within_processors = true;
  team->stack_share = STACK_PART_MOST;
  team->members[0].work.next_slot = team->first_slot;
  ghcomp_reserve_begin(&team->members[0], 1);
  store_relaxed(&team->state, TEAM_BUSY);
  return team;
}

static struct team *take_team(unsigned class)
{
  if (load_relaxed(&unused.teams[class]) == NULL)
    return NULL;
  ghcomp_lock_own(&unused.lock);
  struct team *team = load_acquire(&unused.teams[class]);                                 /* both pair with ghcomp_reuse_return_team */
  while (team != NULL && !cas_acquire(&unused.teams[class], &team, team->next_unused)) /* another one was returned */
    ;
  ghcomp_unlock_own(&unused.lock);
  return team;
}

struct team *ghcomp_reuse_try_team(unsigned capacity)
{
  unsigned class = class_of(capacity);
  struct team *team = take_team(class);
  if (team == NULL)
    team = make_team(1u << class);
  if (team != NULL)
    store_relaxed(&team->state, TEAM_BUSY);
  return team;
}

void ghcomp_reuse_return_team(struct team *team)
{
  unsigned class = class_of(team->capacity);
  team->next_unused = load_relaxed(&unused.teams[class]);
  while (!cas_release(&unused.teams[class], &team->next_unused, team)) /* pairs with take_team */
    ;
}

/* The numbers of the parent's threads are not given again, because the child's thread keeps its own,
   and their threadprivate copies have old values.  */
void ghcomp_reuse_after_fork(void)
{
  unsigned made = load_relaxed(&unused.made);
  memset((void *)&unused, 0, sizeof unused);
  store_relaxed(&unused.made, made);
}
