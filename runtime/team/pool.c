/* The pool of workers.  See pool.md.

   A team comes here when it is made, grows or shrinks.  A region on a hot team does not.  One lock
   guards everything here.

   Invariant: a worker is in exactly one place: docked at one team, in the free list, or on its way
   between them under the lock.  */
#include "team/pool.h"

#include "admission/admission.h"
#include "base/cycles.h"
#include "base/message.h"
#include "machine/clock.h"
#include "machine/processors.h"
#include "team/team.h"
#include "team/thread.h"
#include "threads/substrate.h"
#include "wait/lock.h"
#include "wait/parking.h"

#include <errno.h>
#include <string.h>

/* How long surplus workers stay free before they end.  If no master is left, the process may be
   waiting for its last thread, so the time is short.  */
#define MASTERLESS_NS 10000000u
#define SURPLUS_NS 500000000u

/* After a refusal the system is not asked for a thread until this many times the duration of the
   refusal has passed.  */
#define REFUSAL_SHARE 100

static struct {
  lock_word lock;
  struct thread *free_workers;
  unsigned free_count, fewest_free; /* how many; the fewest since the keeper's last look */
  struct thread *keeper;       /* a free worker, or NULL */
  _Atomic uint64_t next_look;  /* clock_ns: when the keeper looks again; written under the lock */
  struct team *listed;         /* teams with docked workers */
  unsigned workers;            /* alive */
  unsigned masters;            /* native threads of the program that have met the runtime */
  uint64_t ask_again;          /* cycles: before this the system is not asked for a thread */
  bool said_refused;
} pool;

/* -------------------------------------------------------- docked workers */

/* Requires: pool lock.  */
static void list(struct team *team)
{
  if (team->pool.listed || team->workers == 0)
    return;
  team->pool.next_listed = pool.listed;
  pool.listed = team;
  team->pool.listed = true;
}

/* Requires: pool lock.  */
static void unlist(struct team *team)
{
  if (!team->pool.listed)
    return;
  struct team **link = &pool.listed;
  while (*link != team)
    link = &(*link)->pool.next_listed;
  *link = team->pool.next_listed;
  team->pool.listed = false;
}

/* Requires: pool lock.  */
static unsigned most_free(void)
{
  return pool.masters != 0 ? ghcomp_machine_processors() - 1 : 0;
}

/* The worker reads `keeps_pool` after it has announced its sleep.
   Requires: pool lock.  */
static void set_keeper(struct thread *worker)
{
  if (pool.keeper != NULL)
    store_relaxed(&pool.keeper->keeps_pool, false);
  pool.keeper = worker;
  if (worker == NULL)
    return;
  swap_seq_cst(&worker->keeps_pool, true);
  ghcomp_parking_wake(&worker->waiter); /* to sleep with a time-out */
}

/* Chooses a keeper if there are too many free workers.  Called after each change of their number or
   of the limit.
   Requires: pool lock.  */
static void choose_keeper(void)
{
  if (pool.free_count <= most_free())
    return;
  uint64_t due = clock_ns() + (pool.masters != 0 ? SURPLUS_NS : MASTERLESS_NS);
  if (pool.keeper != NULL && load_relaxed(&pool.next_look) <= due)
    return;
  pool.fewest_free = pool.free_count;
  store_relaxed(&pool.next_look, due);
  set_keeper(pool.keeper != NULL ? pool.keeper : pool.free_workers);
}

/* Requires: pool lock.  */
static void push_free_worker(struct thread *worker)
{
  worker->next = pool.free_workers;
  pool.free_workers = worker;
  pool.free_count++;
}

/* Takes the worker behind the link.
   Requires: pool lock.  */
static struct thread *unlink_free_worker(struct thread **link)
{
  struct thread *worker = *link;
  *link = worker->next;
  if (--pool.free_count < pool.fewest_free)
    pool.fewest_free = pool.free_count;
  if (worker == pool.keeper)
    set_keeper(NULL);
  return worker;
}

/* Requires: pool lock.  */
static void free_workers_above(struct team *team, unsigned kept)
{
  if (team->workers > kept)
    ghcomp_parking_crowd(-(int)(team->workers - kept));
  while (team->workers > kept) {
    struct member *m = &team->members[team->workers--];
    push_free_worker(m->thread);
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
    next = team->pool.next_listed;
    uint32_t expected = TEAM_IDLE;
    /* Pairs with the store_release in ghcomp_team_join: the last region's master no longer uses the
       team.  */
    if (!cas_acquire(&team->state, &expected, TEAM_STRIPPED))
      continue;
    found += team->workers;
    free_workers_above(team, 0);
  }
}

/* Requires: pool lock.  */
static struct thread *pop_free_worker(void)
{
  return pool.free_workers != NULL ? unlink_free_worker(&pool.free_workers) : NULL;
}

/* `took`: cycles.  */
static void remember_refusal(uint64_t took)
{
  ghcomp_lock_acquire(&pool.lock);
  pool.ask_again = cycles_now() + REFUSAL_SHARE * took;
  pool.workers--;
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_say_refused(int error, unsigned wanted, unsigned have)
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

/* Counts one more worker, unless there are `most`, or the system has just refused one.  */
static bool book_worker(unsigned most)
{
  ghcomp_lock_acquire(&pool.lock);
  bool booked = pool.workers < most && (pool.ask_again == 0 || cycles_now() >= pool.ask_again);
  pool.workers += booked;
  ghcomp_lock_release(&pool.lock);
  return booked;
}

static void create_workers(struct team *team, unsigned wanted, unsigned most)
{
  int avoid = wanted < ghcomp_machine_processors() ? ghcomp_machine_here() : -1;
  while (team->workers < wanted && book_worker(most)) {
    struct thread *worker = ghcomp_reuse_try_thread();
    uint64_t began = cycles_now();
    int error = worker != NULL ? ghcomp_worker_start(worker, avoid) : ENOMEM;
    if (error != 0) {
      remember_refusal(cycles_now() - began);
      if (worker != NULL)
        ghcomp_thread_retire(worker); /* no thread runs, but the descriptor was prepared */
      ghcomp_pool_say_refused(error, wanted, team->workers);
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
  choose_keeper();
  ghcomp_lock_release(&pool.lock);
  create_workers(team, wanted, most);
  ghcomp_parking_crowd((int)(team->workers - before));
  ghcomp_lock_acquire(&pool.lock);
  list(team);
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_await_strip(struct team *team)
{
  ghcomp_lock_acquire(&pool.lock);
  store_relaxed(&team->state, TEAM_BUSY);
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_release(struct team *team, unsigned kept)
{
  ghcomp_lock_acquire(&pool.lock);
  free_workers_above(team, kept);
  choose_keeper();
  ghcomp_lock_release(&pool.lock);
}

/* ------------------------------------------------------------------ ends */

/* Takes `count` free workers out of the pool, the keeper last.
   Requires: pool lock.  */
static struct thread *take_out(unsigned count)
{
  struct thread *taken = NULL;
  while (count-- != 0) {
    struct thread **link = &pool.free_workers;
    if (*link == pool.keeper && (*link)->next != NULL)
      link = &(*link)->next;
    struct thread *worker = unlink_free_worker(link);
    worker->next = taken;
    taken = worker;
    pool.workers--;
  }
  return taken;
}

static void dismiss(struct thread *worker)
{
  while (worker != NULL) {
    struct thread *next = worker->next; /* after the dismissal the descriptor may be in use again */
    ghcomp_worker_dismiss(worker);
    worker = next;
  }
}

void ghcomp_pool_drain(void)
{
  ghcomp_lock_acquire(&pool.lock);
  strip_idle_teams(UINT32_MAX);
  struct thread *out = take_out(pool.free_count);
  ghcomp_lock_release(&pool.lock);
  dismiss(out);
}

/* Requires: pool lock, and the keeper's time has passed.  */
static struct thread *end_surplus(void)
{
  unsigned most = most_free();
  struct thread *out = take_out(pool.fewest_free > most ? pool.fewest_free - most : 0);
  pool.fewest_free = pool.free_count;
  if (pool.free_count <= most)
    set_keeper(NULL);
  store_relaxed(&pool.next_look, clock_ns() + (pool.masters != 0 ? SURPLUS_NS : MASTERLESS_NS));
  return out;
}

uint64_t ghcomp_pool_ns_to_look(void)
{
  uint64_t now = clock_ns(), due = load_relaxed(&pool.next_look);
  return due > now ? due - now : 0;
}

void ghcomp_pool_keep(struct thread *keeper)
{
  struct thread *out = NULL;
  if (ghcomp_pool_ns_to_look() != 0)
    return;
  ghcomp_lock_acquire(&pool.lock);
  if (pool.keeper == keeper && ghcomp_pool_ns_to_look() == 0)
    out = end_surplus();
  ghcomp_lock_release(&pool.lock);
  dismiss(out);
}

void ghcomp_pool_add_master(void)
{
  ghcomp_lock_acquire(&pool.lock);
  pool.masters++;
  ghcomp_admission_count_masters(1);
  ghcomp_lock_release(&pool.lock);
}

void ghcomp_pool_remove_master(void)
{
  ghcomp_lock_acquire(&pool.lock);
  pool.masters--;
  ghcomp_admission_count_masters(-1);
  choose_keeper();
  ghcomp_lock_release(&pool.lock);
}

/* The child has one thread.  Teams of the parent's other threads stay as they are: no thread looks
   at them again.  */
void ghcomp_pool_after_fork(void)
{
  memset((void *)&pool, 0, sizeof pool);
  ghcomp_reuse_after_fork();
  pool.masters = ghcomp_self_pointer != NULL;
  ghcomp_parking_reset_crowd();
  ghcomp_admission_after_fork();
}

unsigned ghcomp_pool_workers(void)
{
  ghcomp_lock_acquire(&pool.lock);
  unsigned workers = pool.workers;
  ghcomp_lock_release(&pool.lock);
  return workers;
}

unsigned ghcomp_pool_threads(void)
{
  ghcomp_lock_acquire(&pool.lock);
  unsigned threads = pool.workers + pool.masters;
  ghcomp_lock_release(&pool.lock);
  return threads;
}
