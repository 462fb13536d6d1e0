/* Invariant: `taken` is the sum of what the regions that run were given.  A thread is in the
   queue while its `turn` is WAITING, and whoever takes it out says how many threads it has.
   Regions begin in order of arrival, but for those that began without a turn.  */
#include "core/admission.h"

#include "base/cycles.h"
#include "core/lock.h"
#include "core/parking.h"
#include "core/stats.h"
#include "substrate/machine.h"
#include "substrate/substrate.h"

#include <string.h>

enum { WAITING = 0 };

/* A region that is over sooner costs less than a turn.  */
#define BRIEF_NS 10000u
/* Of such regions one in so many is timed.  */
#define BRIEF_REGIONS 64
/* Who waits looks whether it waits for a region that is blocked: after a few of its own
   regions' time, between these.  */
#define LOOK_REGIONS 8
#define LOOK_SOONEST_NS 300000u
#define LOOK_LATEST_NS 4000000u
/* Nobody waits longer while no region ends, whatever the others do.  */
#define LONGEST_NS 6000000u
/* After it had to begin without a turn, so many regions begin at once; twice as many each time
   that follows.  */
#define OPEN_FIRST 64u
#define OPEN_MOST 65536u

OWN_LOCK(lock);

static struct {
  unsigned taken;
  unsigned waiting;
  struct thread *first, *last;
  uint64_t moved;              /* cycles: when the last region ended */
  unsigned open;               /* so many regions begin at once */
  unsigned open_next;          /* as many the next time; 0: OPEN_FIRST */
} queue;

static _Atomic unsigned taken_hint;
_Atomic unsigned ghcomp_admission_masters;

void ghcomp_admission_count_masters(int more)
{
  add_relaxed(&ghcomp_admission_masters, (unsigned)more);
}

/* ------------------------------------------------------------------------ room */

/* What regions may use.  Haskell threads that compute have the rest, but half at most: regions
   and Haskell threads that both have more to do than there are processors get half each.  */
static unsigned share(void)
{
  unsigned processors = ghcomp_icv_default_threads(), busy = ghcomp_substrate_host_busy();
  unsigned half = (processors + 1) / 2;
  return busy < processors - half ? processors - busy : half;
}

static unsigned room(unsigned taken)
{
  unsigned ours = share();
  return ours > taken ? ours - taken : 0;
}

unsigned ghcomp_admission_room(void)
{
  unsigned free = room(load_relaxed(&taken_hint));
  return free != 0 ? free : 1;
}

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Threads for a region that wants so many, in front of the queue; 0: it has to wait.  Where
   others have waited, regions run one after the other on most of the processors, rather than
   beside each other on few: a processor that becomes free beside one that computes often finds
   no thread for a while, because the system has put it behind the other.
   Requires: lock.  */
static unsigned grant(unsigned wanted, bool exact, bool waited)
{
  unsigned ours = share(), free = ours > queue.taken ? ours - queue.taken : 0;
  if (queue.open != 0) {
    queue.open--;
    return exact ? wanted : free != 0 ? least(free, wanted) : 1;
  }
  if (queue.taken == 0)
    return exact ? wanted : least(ours, wanted);
  if (exact)
    return queue.taken + wanted <= ghcomp_icv_default_threads() ? wanted : 0;
  return free >= wanted || (waited ? 2 * free > ours : free != 0) ? least(free, wanted) : 0;
}

/* Requires: lock.  */
static void take(struct thread *master, unsigned threads)
{
  queue.taken += threads;
  store_relaxed(&taken_hint, queue.taken);
  store_relaxed(&master->computes, master->kernel_thread);
}

/* Requires: lock.  */
static void put_back(struct thread *master, unsigned threads)
{
  queue.taken -= threads;
  store_relaxed(&taken_hint, queue.taken);
  store_relaxed(&master->computes, 0);
}

/* ----------------------------------------------------------------------- queue */

/* Requires: lock.  */
static void append(struct thread *self)
{
  self->next_waiting = NULL;
  self->previous_waiting = queue.last;
  if (queue.last != NULL)
    queue.last->next_waiting = self;
  else
    queue.first = self;
  queue.last = self;
  queue.waiting++;
}

/* Requires: lock.  */
static void withdraw(struct thread *thread)
{
  if (thread->previous_waiting != NULL)
    thread->previous_waiting->next_waiting = thread->next_waiting;
  else
    queue.first = thread->next_waiting;
  if (thread->next_waiting != NULL)
    thread->next_waiting->previous_waiting = thread->previous_waiting;
  else
    queue.last = thread->previous_waiting;
  queue.waiting--;
}

/* The first in the queue begins, if there is room.
   Requires: lock.  Returns whom to wake, or NULL.  */
static struct thread *next_turn(void)
{
  struct thread *first = queue.first;
  unsigned threads = first != NULL ? grant(first->wants, first->wants_exactly, true) : 0;
  if (threads == 0)
    return NULL;
  withdraw(first);
  take(first, threads);
  if (queue.open_next > OPEN_FIRST)
    queue.open_next--;
  swap_seq_cst(&first->turn, threads); /* pairs with the loads in wait_for_turn */
  return first;
}

static void let_next_in(void)
{
  struct thread *next;
  do {
    ghcomp_lock_acquire(&lock);
    next = next_turn();
    ghcomp_lock_release(&lock);
    if (next != NULL)
      ghcomp_parking_wake(next);
  } while (next != NULL);
}

/* --------------------------------------------------------------- without a turn */

/* Whether a worker, or a master whose region is counted, computes or waits for a processor.
   Requires: lock.  */
static bool somebody_computes(void)
{
  for (const struct thread *t = ghcomp_stats_threads(); t != NULL; t = t->watched) {
    int kernel_thread = load_relaxed(&t->computes);
    if (kernel_thread != 0 && ghcomp_machine_thread_runs(kernel_thread))
      return true;
  }
  return false;
}

/* Requires: lock.  */
static void open_up(void)
{
  queue.open_next = queue.open_next == 0 ? OPEN_FIRST : queue.open_next;
  queue.open = queue.open_next;
  queue.open_next = queue.open_next < OPEN_MOST ? queue.open_next * 2 : OPEN_MOST;
}

/* The first in the queue, and who is behind it, begin without a turn, if nothing else helps.  */
static void look_around(struct thread *self, uint64_t began)
{
  bool helps = false;
  ghcomp_lock_acquire(&lock);
  if (load_relaxed(&self->turn) == WAITING && queue.first == self) {
    uint64_t still_since = queue.moved > began ? queue.moved : began;
    helps = cycles_now() - still_since >= cycles_in(LONGEST_NS) || !somebody_computes();
    if (helps)
      open_up();
  }
  ghcomp_lock_release(&lock);
  if (helps)
    let_next_in();
}

static uint64_t look_after(const struct thread *self)
{
  uint64_t cycles = LOOK_REGIONS * (uint64_t)self->region_took;
  uint64_t soonest = cycles_in(LOOK_SOONEST_NS), latest = cycles_in(LOOK_LATEST_NS);
  return cycles < soonest ? soonest : cycles > latest ? latest : cycles;
}

/* ------------------------------------------------------------------------- waits */

/* Nobody spins here: the processors are the others'.  `ahead`: who came before; each of them
   looks around first.  */
static unsigned wait_for_turn(struct thread *self, unsigned ahead)
{
  uint64_t began = cycles_now(), pause = look_after(self), look = began + pause * (ahead + 1);
  ghcomp_count(self, STAT_TURNS_WAITED);
  while (load_acquire(&self->turn) == WAITING) { /* pairs with the swap in next_turn */
    uint64_t now = cycles_now();
    if (now >= look) {
      look_around(self, began);
      look = now + pause;
      continue;
    }
    ghcomp_parking_prepare(self, NULL, PARK_FOR_NOTHING);
    if (load_seq_cst(&self->turn) == WAITING) /* pairs with the swap in next_turn */
      ghcomp_parking_sleep_for(self, cycles_to_ns(look - now));
    ghcomp_parking_finish(self, NULL);
  }
  ghcomp_count_more(self, STAT_TURN_WAIT_NS, cycles_now() - began);
  return load_relaxed(&self->turn);
}

static bool is_brief(struct thread *self)
{
  if (self->untimed == 0)
    return false;
  self->untimed--;
  return true;
}

static struct admitted begin(struct thread *self, unsigned threads)
{
  self->region_began = cycles_now() | 1;
  return (struct admitted){threads, threads};
}

struct admitted ghcomp_admission_enter(struct thread *self, unsigned wanted, bool exact)
{
  if (is_brief(self) || !ghcomp_admission_has_others()) {
    unsigned free = exact ? wanted : ghcomp_admission_room();
    return (struct admitted){free < wanted ? free : wanted, 0};
  }
  ghcomp_lock_acquire(&lock);
  unsigned threads = 0, ahead = queue.waiting;
  if (ahead == 0)
    threads = grant(wanted, exact, false);
  if (threads != 0) {
    take(self, threads);
  } else {
    self->wants = wanted;
    self->wants_exactly = exact;
    store_relaxed(&self->turn, WAITING);
    append(self);
  }
  ghcomp_lock_release(&lock);
  return begin(self, threads != 0 ? threads : wait_for_turn(self, ahead));
}

/* An average.  One that took long because others had the processor does not count in full.  */
static void learn(struct thread *self)
{
  uint64_t took = cycles_now() - self->region_began, before = self->region_took;
  if (before != 0 && took > 4 * before)
    took = 4 * before;
  uint64_t now = before != 0 ? (3 * before + took) / 4 : took;
  self->region_took = now > UINT32_MAX ? UINT32_MAX : (uint32_t)now;
  self->region_began = 0;
  self->untimed = self->region_took < cycles_in(BRIEF_NS) ? BRIEF_REGIONS - 1 : 0;
}

void ghcomp_admission_leave(struct thread *self, unsigned counted)
{
  learn(self);
  self->begun = NULL;
  ghcomp_lock_acquire(&lock);
  put_back(self, counted);
  queue.moved = cycles_now();
  bool more = queue.first != NULL;
  ghcomp_lock_release(&lock);
  if (more)
    let_next_in();
}

void ghcomp_admission_abandon(struct thread *self)
{
  struct team *team = self->begun;
  if (self->region_began != 0 && team != NULL)
    ghcomp_admission_leave(self, team->admitted);
}

void ghcomp_admission_reduce(struct admitted *admitted, unsigned threads)
{
  if (admitted->counted <= threads)
    return;
  ghcomp_lock_acquire(&lock);
  queue.taken -= admitted->counted - threads;
  store_relaxed(&taken_hint, queue.taken);
  ghcomp_lock_release(&lock);
  admitted->counted = threads;
}

void ghcomp_admission_after_fork(void)
{
  memset(&queue, 0, sizeof queue);
  store_relaxed(&taken_hint, 0);
  store_relaxed(&ghcomp_admission_masters, ghcomp_self_pointer != NULL);
}
