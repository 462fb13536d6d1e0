/* The pool of workers.  See pool.md.

   A team comes here when it is made, grows or shrinks.  A region on a hot team does not.  One lock
   guards everything here.

   Invariant: a worker is in exactly one place: docked at one team, in the free list, or on its way
   between them under the lock.  */
#include "team/pool.h"

#include "admission/turn.h"
#include "base/cycles.h"
#include "base/memory.h"
#include "base/message.h"
#include "machine/clock.h"
#include "machine/disturbance.h"
#include "machine/processors.h"
#include "machine/refusal.h"
#include "machine/thread.h"
#include "settings/icv.h"
#include "team/team.h"
#include "team/team_wait.h"
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

/* A thread that has been told to end is gone from the system soon, if it gets a processor.  So often the system is asked
   again after a refusal, and so long after the last time: 20 ms in all, which is a time slice or two on a busy machine.  */
enum { ENDS_LOOKS = 100 };
#define ENDS_LOOK_NS 200000u

/* A team that was refused threads leaves one and this share of its workers to the program and its other teams.  If addresses
   were refused, it leaves also what glibc keeps of stacks of ended threads, for further threads only.  */
enum { LEFT_SHARE = 16 };
#define STACKS_KEPT ((size_t)40 << 20)

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

/* Whose teams a worker may join that this thread frees, or looks for.  Where the host does not share, a worker has what it
   inherited from its master: masks, priority, credentials.  So it serves no other one.  */
static uint64_t owner_for(const struct thread *master)
{
  return ghcomp_icv_host_shares() ? 0 : master->life;
}

/* Requires: pool lock.  */
static void push_free_worker(struct thread *worker, uint64_t owner)
{
  worker->owner = owner;
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
static void free_workers_above(struct team *team, unsigned kept, uint64_t owner)
{
  if (team->workers > kept)
    ghcomp_parking_crowd(-(int)(team->workers - kept));
  while (team->workers > kept) {
    struct member *m = &team->members[team->workers--];
    push_free_worker(m->thread, owner);
    m->thread = NULL;
  }
  if (team->workers == 0)
    unlist(team);
}

/* Takes the workers of idle teams until `wanted` are free.  Any team may have them: either the host shares, or the caller ends
   them.
   Requires: pool lock.  */
static void strip_idle_teams(unsigned wanted, bool outermost_too)
{
  unsigned found = 0;
  for (struct team *team = pool.listed, *next; team != NULL && found < wanted; team = next) {
    next = team->pool.next_listed;
    uint32_t expected = TEAM_IDLE;
    if (team->pool.outermost && !outermost_too)
      continue;
    /* Pairs with the store_release in ghcomp_team_join: the last region's master no longer uses the
       team.  */
    if (!cas_acquire(&team->state, &expected, TEAM_STRIPPED))
      continue;
    found += team->workers;
    free_workers_above(team, 0, 0);
  }
}

/* One that may join a team of the owner; NULL: there is none.  The list is short: it has workers of teams that have become
   smaller.
   Requires: pool lock.  */
static struct thread *pop_free_worker(uint64_t owner)
{
  struct thread **link = &pool.free_workers;
  while (*link != NULL && (*link)->owner != owner)
    link = &(*link)->next;
  return *link != NULL ? unlink_free_worker(link) : NULL;
}

/* `took`: cycles.  */
static void remember_refusal(uint64_t took)
{
  ghcomp_lock_own(&pool.lock);
  pool.ask_again = cycles_now() + REFUSAL_SHARE * took;
  pool.workers--;
  ghcomp_unlock_own(&pool.lock);
}

void ghcomp_pool_say_refused(const char *why, unsigned wanted, unsigned have)
{
  bool first;
  if (ghcomp_settings.refused_ends)
    ghcomp_message_fatal("a thread could not be created (%s): a region wanted %u threads and could have %u; the program ends here "
                         "(GHCOMP_REFUSED_THREADS=end)", why, wanted + 1, have + 1);
  ghcomp_lock_own(&pool.lock);
  first = !pool.said_refused;
  pool.said_refused = true;
  ghcomp_unlock_own(&pool.lock);
  if (first)
    ghcomp_message_say("a thread could not be created (%s): a region that wanted %u threads "
                       "runs with %u; this is said once",
                       why, wanted + 1, have + 1);
}

/* Docks a worker at the next free seat of the team.  */
static void seat(struct team *team, struct thread *worker)
{
  team->members[++team->workers].thread = worker;
  store_relaxed(ghcomp_team_seen_on(team, team->workers), 0);
}

/* Counts one more worker, unless there are `most`, or the system has just refused one.  */
static bool book_worker(unsigned most)
{
  ghcomp_lock_own(&pool.lock);
  bool booked = pool.workers < most && (pool.ask_again == 0 || cycles_now() >= pool.ask_again);
  pool.workers += booked;
  ghcomp_unlock_own(&pool.lock);
  return booked;
}

/* 0, or an errno value: there is no thread.  */
static int create_worker(struct team *team, uint64_t signals)
{
  struct thread *worker = ghcomp_reuse_try_thread();
  int error = worker != NULL ? ghcomp_worker_start(worker, signals) : ENOMEM;
  if (error == 0)
    seat(team, worker);
  else if (worker != NULL)
    ghcomp_thread_retire(worker); /* no thread runs, but the descriptor was prepared */
  return error;
}

/* Until threads that have been told to end may be gone.  */
static void sleep_briefly(void)
{
  _Atomic uint32_t nobody_wakes = 0;
  ghcomp_park_wait_for(&nobody_wakes, 0, ENDS_LOOK_NS);
}

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

/* Takes out all free workers, and those of idle teams.  */
static struct thread *take_out_idle(bool outermost_too)
{
  ghcomp_lock_own(&pool.lock);
  strip_idle_teams(UINT32_MAX, outermost_too);
  struct thread *out = take_out(pool.free_count);
  ghcomp_unlock_own(&pool.lock);
  return out;
}

/* The system has refused a thread.  Where teams are their masters' own, free workers and idle nested teams of others may hold
   threads that it would give again, and they end.  An idle outermost team does not: OpenMP promises its master that the threads'
   threadprivate data lasts to the next region.  A thread that has ended, also one that the start of the RTS has joined, counts
   for some microseconds more.  So the system is asked again for a while.  */
static int create_after_others_end(struct team *team, int error, uint64_t signals)
{
  if (ghcomp_icv_host_shares())
    return error;
  dismiss(take_out_idle(false));
  for (unsigned i = 0; i < ENDS_LOOKS && error != 0; i++) {
    sleep_briefly();
    error = create_worker(team, signals);
  }
  return error;
}

/* How many of its `created` new workers the team leaves: never more than half of its workers.  */
static unsigned left_of(unsigned created, unsigned workers, bool lacks_addresses)
{
  size_t left = 1 + workers / LEFT_SHARE;
  if (lacks_addresses)
    left += STACKS_KEPT / (ghcomp_spawn_mapped(ghcomp_settings.stack_size) + 1) + 1;
  if (left > workers / 2)
    left = workers / 2;
  return left < created ? (unsigned)left : created;
}

/* They have not had mail yet.  */
static void dismiss_last(struct team *team, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    struct member *m = &team->members[team->workers--];
    struct thread *worker = m->thread;
    m->thread = NULL;
    ghcomp_worker_dismiss(worker);
  }
  ghcomp_lock_own(&pool.lock);
  pool.workers -= count;
  ghcomp_unlock_own(&pool.lock);
}

/* `before`: workers that the team had.  `took`: cycles of the refused call.  What was created only to be left counts, too, because
   the next try creates it again.  */
static void is_refused(struct team *team, unsigned wanted, unsigned before, int error, uint64_t began, uint64_t took)
{
  char why[GHCOMP_REFUSAL];
  unsigned created = team->workers - before;
  bool lacks_addresses = ghcomp_machine_no_thread(why, error, ghcomp_spawn_mapped(ghcomp_settings.stack_size));
  unsigned left = left_of(created, team->workers, lacks_addresses);
  if (!ghcomp_settings.refused_ends)
    dismiss_last(team, left);
  if (left != 0)
    took += (cycles_now() - began) / created * left;
  remember_refusal(took);
  ghcomp_pool_say_refused(why, wanted, team->workers);
}

/* Requires: the calling thread blocks all signals.  */
static void create_some(struct team *team, unsigned wanted, unsigned most, uint64_t signals)
{
  unsigned before = team->workers;
  uint64_t first_began = cycles_now();
  while (team->workers < wanted && book_worker(most)) {
    uint64_t began = cycles_now();
    int error = create_worker(team, signals);
    if (unlikely(error != 0))
      error = create_after_others_end(team, error, signals);
    if (error == 0)
      continue;
    is_refused(team, wanted, before, error, first_began, cycles_now() - began);
    return;
  }
}

static void create_workers(struct team *team, unsigned wanted, unsigned most)
{
  if (team->workers >= wanted)
    return;
  struct held held = ghcomp_machine_hold();
  create_some(team, wanted, most, held.signals);
  ghcomp_machine_let(held);
}

void ghcomp_pool_supply(struct team *team, unsigned wanted, unsigned most, const struct thread *master)
{
  unsigned before = team->workers;
  uint64_t owner = owner_for(master);
  ghcomp_lock_own(&pool.lock);
  for (bool stripped = !ghcomp_icv_host_shares(); team->workers < wanted;) {
    struct thread *worker = pop_free_worker(owner);
    if (worker != NULL) {
      seat(team, worker);
    } else if (!stripped) {
      strip_idle_teams(wanted - team->workers, true);
      stripped = true;
    } else {
      break;
    }
  }
  choose_keeper();
  ghcomp_unlock_own(&pool.lock);
  create_workers(team, wanted, most);
  ghcomp_parking_crowd((int)(team->workers - before));
  ghcomp_lock_own(&pool.lock);
  list(team);
  ghcomp_unlock_own(&pool.lock);
}

void ghcomp_pool_await_strip(struct team *team)
{
  ghcomp_lock_own(&pool.lock);
  store_relaxed(&team->state, TEAM_BUSY);
  ghcomp_unlock_own(&pool.lock);
}

void ghcomp_pool_release(struct team *team, unsigned kept, const struct thread *master)
{
  ghcomp_lock_own(&pool.lock);
  free_workers_above(team, kept, owner_for(master));
  choose_keeper();
  ghcomp_unlock_own(&pool.lock);
}

/* ------------------------------------------------------------------ ends */

/* The destructor of a worker's thread-local object may wait for the caller, so the caller does not wait for ever.  */
#define END_LONGEST_NS 1000000000u

/* A thread that has been told to end is there for some microseconds more, and the system refuses some calls until it is
   gone.  */
static void await_ends(const int *threads, unsigned count)
{
  uint64_t until = clock_ns() + END_LONGEST_NS;
  for (unsigned i = 0; i < count; i++)
    while (ghcomp_machine_thread_is_there(threads[i]) && clock_ns() < until)
      sleep_briefly();
}

void ghcomp_pool_end_idle(void)
{
  unsigned count = 0, known = 0;
  struct thread *out = take_out_idle(true);
  for (const struct thread *worker = out; worker != NULL; worker = worker->next)
    count++;
  int *threads = count != 0 ? ghcomp_memory_try_lines(count * sizeof *threads) : NULL;
  for (const struct thread *worker = out; threads != NULL && worker != NULL; worker = worker->next)
    threads[known++] = load_relaxed(&worker->kernel_thread);
  dismiss(out);
  await_ends(threads, known);
  ghcomp_memory_release(threads);
}

/* Requires: pool lock.  */
static struct thread *take_out_owned(uint64_t owner)
{
  struct thread *taken = NULL;
  for (struct thread **link = &pool.free_workers; *link != NULL;) {
    if ((*link)->owner != owner) {
      link = &(*link)->next;
      continue;
    }
    struct thread *worker = unlink_free_worker(link);
    worker->next = taken;
    taken = worker;
    pool.workers--;
  }
  return taken;
}

void ghcomp_pool_end_owned(const struct thread *owner)
{
  if (ghcomp_icv_host_shares())
    return;
  ghcomp_lock_own(&pool.lock);
  struct thread *out = take_out_owned(owner->life);
  ghcomp_unlock_own(&pool.lock);
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
  ghcomp_lock_own(&pool.lock);
  if (pool.keeper == keeper && ghcomp_pool_ns_to_look() == 0)
    out = end_surplus();
  ghcomp_unlock_own(&pool.lock);
  dismiss(out);
}

void ghcomp_pool_add_master(void)
{
  ghcomp_lock_own(&pool.lock);
  pool.masters++;
  ghcomp_turn_count_masters(1);
  ghcomp_unlock_own(&pool.lock);
}

void ghcomp_pool_remove_master(void)
{
  ghcomp_lock_own(&pool.lock);
  pool.masters--;
  ghcomp_turn_count_masters(-1);
  choose_keeper();
  ghcomp_unlock_own(&pool.lock);
}

/* The child has one thread.  Teams of the parent's other threads stay as they are: no thread looks
   at them again.  */
void ghcomp_pool_after_fork(void)
{
  memset((void *)&pool, 0, sizeof pool);
  ghcomp_reuse_after_fork();
  pool.masters = ghcomp_self_pointer != NULL;
  ghcomp_parking_reset_crowd();
  ghcomp_turn_after_fork();
}

unsigned ghcomp_pool_workers(void)
{
  ghcomp_lock_own(&pool.lock);
  unsigned workers = pool.workers;
  ghcomp_unlock_own(&pool.lock);
  return workers;
}

unsigned ghcomp_pool_threads(void)
{
  ghcomp_lock_own(&pool.lock);
  unsigned threads = pool.workers + pool.masters;
  ghcomp_unlock_own(&pool.lock);
  return threads;
}
