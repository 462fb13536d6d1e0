/* The pool of workers, and the reuse of descriptors and teams.

   Everything here is on the way of a team that grows, shrinks or is made; a
   region on a hot team does not come here.  One lock guards all of it.

   Invariant: a worker is in exactly one place: docked at one team, in the free
   list, or on its way between them under the lock.  Descriptors and teams are
   never unmapped, so a thread that still looks at a team from which it was
   taken reads valid memory (see worker.c for what stops it from acting).  */
#include "core/pool.h"

#include "base/message.h"
#include "core/lock.h"
#include "core/memory.h"
#include "core/parking.h"
#include "core/slots.h"
#include "core/stats.h"
#include "core/team.h"
#include "core/worker.h"
#include "substrate/machine.h"
#include "substrate/substrate.h"

#include <sched.h>
#include <string.h>

#define CLASSES 32 /* of team capacity: powers of two */

static struct {
  lock_word lock;
  struct thread *free_workers;
  struct thread *free_threads; /* descriptors whose OS thread ended */
  struct team *listed;         /* teams with docked workers */
  struct team *free_teams[CLASSES];
  unsigned workers;            /* alive */
  bool said_refused;
} pool;

static unsigned class_of(unsigned capacity)
{
  unsigned class = 0;
  while ((1u << class) < capacity)
    class++;
  return class;
}

/* ------------------------------------------------------- descriptors, teams */

struct thread *ghcomp_pool_take_thread(void)
{
  ghcomp_lock_acquire(&pool.lock);
  struct thread *thread = pool.free_threads;
  if (thread != NULL)
    pool.free_threads = thread->next;
  ghcomp_lock_release(&pool.lock);
  if (thread == NULL) {
    thread = ghcomp_memory_get_lines(sizeof *thread);
    ghcomp_stats_watch(thread);
  }
  return thread;
}

void ghcomp_pool_return_thread(struct thread *thread)
{
  ghcomp_lock_acquire(&pool.lock);
  thread->next = pool.free_threads;
  pool.free_threads = thread;
  ghcomp_lock_release(&pool.lock);
}

static struct team *make_team(unsigned capacity)
{
  struct team *team =
      ghcomp_memory_get_lines(sizeof *team + capacity * sizeof(struct member));
  team->capacity = capacity;
  for (unsigned i = 0; i < capacity; i++) {
    struct member *m = &team->members[i];
    m->team = team;
    m->number = i;
  }
  return team;
}

struct team *ghcomp_pool_take_team(unsigned capacity)
{
  unsigned class = class_of(capacity);
  ghcomp_lock_acquire(&pool.lock);
  struct team *team = pool.free_teams[class];
  if (team != NULL)
    pool.free_teams[class] = team->next_free;
  ghcomp_lock_release(&pool.lock);
  if (team == NULL) {
    team = make_team(1u << class);
    ghcomp_slots_make(team);
  }
  store_relaxed(&team->state, TEAM_BUSY);
  return team;
}

void ghcomp_pool_return_team(struct team *team)
{
  unsigned class = class_of(team->capacity);
  ghcomp_lock_acquire(&pool.lock);
  team->next_free = pool.free_teams[class];
  pool.free_teams[class] = team;
  ghcomp_lock_release(&pool.lock);
}

/* -------------------------------------------------------- docked workers */

/* Requires: pool lock.  */
static void list(struct team *team)
{
  if (team->listed || team->workers == 0)
    return;
  team->next_listed = pool.listed;
  pool.listed = team;
  team->listed = true;
}

/* Requires: pool lock.  */
static void unlist(struct team *team)
{
  if (!team->listed)
    return;
  struct team **link = &pool.listed;
  while (*link != team)
    link = &(*link)->next_listed;
  *link = team->next_listed;
  team->listed = false;
}

/* Requires: pool lock.  */
static void free_workers_above(struct team *team, unsigned kept)
{
  if (team->workers > kept)
    ghcomp_parking_crowd(-(int)(team->workers - kept));
  while (team->workers > kept) {
    struct member *m = &team->members[team->workers--];
    m->thread->next = pool.free_workers;
    pool.free_workers = m->thread;
    m->thread = NULL;
  }
  if (team->workers == 0)
    unlist(team);
}

/* Takes the workers of idle teams until `wanted` are free.
   Requires: pool lock.  */
static void strip_idle_teams(unsigned wanted)
{
  unsigned found = 0;
  for (struct team *team = pool.listed, *next; team != NULL && found < wanted; team = next) {
    next = team->next_listed;
    uint32_t expected = TEAM_IDLE;
    /* Pairs with the store_release in ghcomp_team_join: the last region's
       master has let go of the team.  */
    if (!cas_acquire(&team->state, &expected, TEAM_STRIPPED))
      continue;
    found += team->workers;
    free_workers_above(team, 0);
  }
}

/* Requires: pool lock.  */
static struct thread *pop_free_worker(void)
{
  struct thread *worker = pool.free_workers;
  if (worker != NULL)
    pool.free_workers = worker->next;
  return worker;
}

static void say_refused(int error, unsigned wanted, unsigned have)
{
  bool first;
  ghcomp_lock_acquire(&pool.lock);
  first = !pool.said_refused;
  pool.said_refused = true;
  ghcomp_lock_release(&pool.lock);
  if (first)
    ghcomp_message_say("a thread could not be created (%s): a region that wanted %u threads "
                       "runs with %u; this is said once",
                       strerror(error), wanted + 1, have + 1);
}

/* Docks a worker at the next free seat of the team.  */
static void seat(struct team *team, struct thread *worker)
{
  team->members[++team->workers].thread = worker;
}

/* Counts one worker more, unless there are `most`.  */
static bool book_worker(unsigned most)
{
  ghcomp_lock_acquire(&pool.lock);
  bool booked = pool.workers < most;
  pool.workers += booked;
  ghcomp_lock_release(&pool.lock);
  return booked;
}

static void unbook_worker(void)
{
  ghcomp_lock_acquire(&pool.lock);
  pool.workers--;
  ghcomp_lock_release(&pool.lock);
}

static void create_workers(struct team *team, unsigned wanted, unsigned most)
{
  int avoid = wanted < ghcomp_machine_processors() ? sched_getcpu() : -1;
  while (team->workers < wanted && book_worker(most)) {
    struct thread *worker = ghcomp_pool_take_thread();
    int error = ghcomp_worker_start(worker, avoid);
    if (error != 0) {
      ghcomp_pool_return_thread(worker);
      unbook_worker();
      say_refused(error, wanted, team->workers);
      return;
    }
    seat(team, worker);
  }
}

void ghcomp_pool_supply(struct team *team, unsigned wanted, unsigned most)
{
  unsigned before = team->workers;
  ghcomp_lock_acquire(&pool.lock);
  for (bool stripped = false; team->workers < wanted;) {
    struct thread *worker = pop_free_worker();
    if (worker != NULL) {
      seat(team, worker);
    } else if (!stripped) {
      strip_idle_teams(wanted - team->workers);
      stripped = true;
    } else {
      break;
    }
  }
  ghcomp_lock_release(&pool.lock);
  create_workers(team, wanted, most);
  ghcomp_parking_crowd((int)(team->workers - before));
  ghcomp_lock_acquire(&pool.lock);
  list(team);
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_settle(struct team *team)
{
  ghcomp_lock_acquire(&pool.lock);
  store_relaxed(&team->state, TEAM_BUSY);
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_release(struct team *team, unsigned kept)
{
  ghcomp_lock_acquire(&pool.lock);
  free_workers_above(team, kept);
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_drain(void)
{
  ghcomp_lock_acquire(&pool.lock);
  strip_idle_teams(UINT32_MAX);
  struct thread *worker = pool.free_workers;
  pool.free_workers = NULL;
  for (struct thread *w = worker; w != NULL; w = w->next)
    pool.workers--;
  ghcomp_lock_release(&pool.lock);
  while (worker != NULL) {
    struct thread *next = worker->next;
    ghcomp_worker_dismiss(worker);
    worker = next;
  }
}

/* The child has one thread.  Teams that the parent's other threads used are
   left as they are: nobody looks at them again.  */
void ghcomp_pool_after_fork(void)
{
  memset(&pool, 0, sizeof pool);
  ghcomp_parking_reset_crowd();
}

unsigned ghcomp_pool_workers(void)
{
  ghcomp_lock_acquire(&pool.lock);
  unsigned workers = pool.workers;
  ghcomp_lock_release(&pool.lock);
  return workers;
}
