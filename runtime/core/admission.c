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

#include <sched.h>
#include <string.h>

enum { WAITING = 0 };

/* A region that is over sooner costs less than a turn.  */
#define BRIEF_NS 10000u
/* Of such regions one in so many is timed.  */
#define BRIEF_REGIONS 64
/* Who waits looks soon whether it waits for a region that is blocked, then after twice the time
   each, up to this.  */
#define LOOK_SOONEST_NS 300000u
#define LOOK_LATEST_NS 4000000u
/* Nobody waits longer while no region ends, whatever the others do; and who waits in a question
   waits longer, because one more that spins for a library's lock makes all slower; so much the
   longer where one may spin already.  */
#define LONGEST_NS 6000000u
#define LONGEST_ASKING_NS 50000000u
#define LONGEST_CROWDED_NS 2000000000u
/* After it had to begin without a turn, so many regions begin at once; four times as many
   each time that follows.  */
#define OPEN_FIRST 64u
enum { OPEN_FACTOR = 4 };
#define OPEN_MOST 65536u

/* Who asked how many threads there would be keeps the turn until its region begins, and a moment
   longer than that lasts: a library has a lock to release then.  It loses the turn to those that
   wait when it has computed for so long without a region, or is blocked, or after TOLD_LONGEST. */
#define TOLD_NS 200000u
#define TOLD_BLOCKED_NS 2000000u
#define LEAVING_NS 20000u
#define TOLD_LONGEST_NS 20000000u
#define LEAVING_LOOK_NS 200000u
/* After so many questions in a row without a region, 2, 4, 8… questions are plain ones.  */
#define IN_VAIN_MOST 12u

OWN_LOCK(lock);

static struct {
  unsigned taken;
  unsigned waiting;
  struct thread *first, *last;
  unsigned told;               /* how many keep a turn for a region that has not begun */
  unsigned leaving;            /* of `taken`: theirs whose last region is over */
  uint64_t moved;              /* cycles: when the last region ended */
  unsigned open;               /* so many regions begin at once */
  unsigned open_next;          /* as many the next time; 0: OPEN_FIRST */
  unsigned late_next;          /* the same where no region ended for long; 0: one */
} queue;

static _Atomic unsigned taken_hint;
static _Atomic(struct thread *) first_hint; /* queue.first */
static _Atomic uint64_t leaving_until;      /* cycles: who keeps its turn a little longer; 0: nobody */
_Atomic unsigned ghcomp_admission_masters, ghcomp_admission_starting;

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

/* ------------------------------------------------------------------------ told */

/* Requires: lock.  */
static void give_up(struct thread *thread)
{
  put_back(thread, thread->told);
  if (thread->leaves)
    queue.leaving -= thread->told;
  thread->told = 0;
  queue.told--;
  store_relaxed(&leaving_until, 0);
}

/* The thread keeps what it has taken, for a region that it has not begun.
   Requires: lock.  */
static void keep_turn(struct thread *self, unsigned threads, unsigned ns, bool leaves)
{
  self->told = threads;
  self->leaves = leaves;
  if (leaves)
    queue.leaving += threads;
  self->told_until = (cycles_now() + cycles_in(ns)) | 1;
  self->told_computed = ghcomp_machine_thread_computed(self->kernel_thread) + ns;
  queue.told++;
}

/* More run than there is room for, not counting who leaves.
   Requires: lock.  */
static bool is_crowded(void)
{
  return queue.taken - queue.leaving > ghcomp_icv_default_threads();
}

/* Where more run than there is room for, one of them began without a turn, and who was told may
   spin for what it holds; nobody else could begin then.  Who leaves and is blocked has released
   what it held; who has not begun may be waiting for memory.
   Requires: lock.  */
static bool is_late(const struct thread *thread, uint64_t now)
{
  uint64_t until = thread->told_until;
  if (now <= until)
    return false;
  if (!thread->leaves && queue.taken > thread->told && is_crowded())
    return false;
  return now > until + cycles_in(TOLD_LONGEST_NS) ||
         ghcomp_machine_thread_computed(thread->kernel_thread) >= thread->told_computed ||
         (now > until + (thread->leaves ? 0 : cycles_in(TOLD_BLOCKED_NS)) &&
          !ghcomp_machine_thread_runs(thread->kernel_thread));
}

/* Those that have been told go before nobody any longer, when they are late.
   Requires: lock.  Returns whether there was one.  */
static bool revoke_late(uint64_t now)
{
  bool any = false;
  if (queue.told == 0)
    return false;
  for (struct thread *t = ghcomp_stats_threads(); t != NULL; t = t->watched)
    if (t->told != 0 && is_late(t, now)) {
      give_up(t);
      any = true;
    }
  return any;
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
  store_relaxed(&first_hint, queue.first);
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
  store_relaxed(&first_hint, queue.first);
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
  if (queue.open == 0) {
    queue.open_next -= queue.open_next > OPEN_FIRST;
    queue.late_next /= 2;
  }
  add_relaxed(&ghcomp_admission_starting, 1);
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

/* Whether a worker, or a master whose region is counted, computes or waits for a processor, or is
   about to.
   Requires: lock.  */
static bool somebody_computes(void)
{
  if (load_relaxed(&ghcomp_admission_starting) != 0)
    return true;
  for (const struct thread *t = ghcomp_stats_threads(); t != NULL; t = t->watched) {
    int kernel_thread = load_relaxed(&t->computes);
    if (kernel_thread == ABOUT_TO || (kernel_thread != 0 && ghcomp_machine_thread_runs(kernel_thread)))
      return true;
  }
  return false;
}

/* Requires: lock.  */
static void open_for(unsigned *next, unsigned first)
{
  if (queue.first->asks) { /* many that spin for one lock are worse than any wait */
    queue.open = 1;
    return;
  }
  queue.open = *next != 0 ? *next : first;
  *next = queue.open < OPEN_MOST ? queue.open * OPEN_FACTOR : OPEN_MOST;
}

/* Requires: lock.  */
static uint64_t longest(const struct thread *self)
{
  if (!self->asks)
    return cycles_in(LONGEST_NS);
  return is_crowded() ? cycles_in(LONGEST_CROWDED_NS) : cycles_in(LONGEST_ASKING_NS);
}

/* The first in the queue, and who is behind it, begin without a turn, if nothing else helps.  */
static void look_around(struct thread *self, uint64_t began)
{
  bool helps = false;
  ghcomp_lock_acquire(&lock);
  if (load_relaxed(&self->turn) == WAITING && queue.first == self) {
    uint64_t now = cycles_now(), still_since = queue.moved > began ? queue.moved : began;
    helps = revoke_late(now);
    bool blocked = !helps && !somebody_computes();
    if (blocked)
      open_for(&queue.open_next, OPEN_FIRST);
    else if (!helps && now - still_since >= longest(self)) {
      open_for(&queue.late_next, 1);
      queue.moved = now;
    }
    helps = helps || queue.open != 0;
  }
  ghcomp_lock_release(&lock);
  if (helps)
    let_next_in();
}

/* ------------------------------------------------------------------------- waits */

/* Nobody spins here: the processors are the others'.  `ahead`: who came before; each of them
   looks around first.  */
static unsigned wait_for_turn(struct thread *self, unsigned ahead)
{
  uint64_t began = cycles_now(), pause = cycles_in(LOOK_SOONEST_NS);
  uint64_t look = began + pause * (ahead + 1), seen = 0;
  ghcomp_count(self, STAT_TURNS_WAITED);
  while (load_acquire(&self->turn) == WAITING) { /* pairs with the swap in next_turn */
    uint64_t now = cycles_now(), leaving = load_relaxed(&leaving_until);
    bool next = leaving > seen && load_relaxed(&first_hint) == self;
    if (next && now <= leaving) {
      sched_yield(); /* who leaves may be behind this thread on its processor */
    } else if (next) {
      look_around(self, began);
      seen = leaving; /* if it has not gone, it has no processor: */
      look = now + cycles_in(LEAVING_LOOK_NS);
    } else if (now >= look) {
      look_around(self, began);
      pause = pause < cycles_in(LOOK_LATEST_NS) ? 2 * pause : pause;
      look = now + (leaving != 0 ? cycles_in(LEAVING_LOOK_NS) : pause);
    } else {
      ghcomp_parking_prepare(self, NULL, PARK_FOR_NOTHING);
      /* Pair with the swap in next_turn, and with the store in leave.  */
      if (load_seq_cst(&self->turn) == WAITING && load_seq_cst(&leaving_until) == leaving)
        ghcomp_parking_sleep_for(self, cycles_to_ns(look - now));
      ghcomp_parking_finish(self, NULL);
    }
  }
  sub_relaxed(&ghcomp_admission_starting, 1);
  ghcomp_count_more(self, STAT_TURN_WAIT_NS, cycles_now() - began);
  return load_relaxed(&self->turn);
}

bool ghcomp_admission_is_awaited(void)
{
  return load_relaxed(&first_hint) != NULL;
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
  return (struct admitted){.threads = threads, .counted = threads};
}

/* Threads for a region, now or when its turn has come.  */
static unsigned take_turn(struct thread *self, unsigned wanted, bool exact, bool asks)
{
  ghcomp_lock_acquire(&lock);
  unsigned threads = 0, ahead = queue.waiting;
  bool late = revoke_late(cycles_now());
  if (self->told != 0) {
    give_up(self);
    late = true;
  }
  self->told_until = 0;
  if (ahead == 0)
    threads = grant(wanted, exact, false);
  self->waited = threads == 0;
  if (threads != 0) {
    take(self, threads);
  } else {
    self->wants = wanted;
    self->wants_exactly = exact;
    self->asks = asks;
    store_relaxed(&self->turn, WAITING);
    append(self);
  }
  ghcomp_lock_release(&lock);
  if (unlikely(late) && ahead != 0)
    let_next_in();
  return threads != 0 ? threads : wait_for_turn(self, ahead);
}

/* The turn that the thread was given when it asked.  If it was too late and has lost it, it
   begins all the same: others may spin for it by now, and to wait behind them would not end.  */
static void use_told(struct thread *self, unsigned wanted)
{
  ghcomp_lock_acquire(&lock);
  if (self->told != 0)
    give_up(self);
  take(self, wanted);
  ghcomp_lock_release(&lock);
  self->told_until = 0;
  self->in_vain = 0;
  self->followed = true;
}

struct admitted ghcomp_admission_enter(struct thread *self, unsigned wanted, bool exact)
{
  bool leaving = self->followed;
  self->followed = false;
  if (unlikely(self->told_until != 0) && !leaving) {
    use_told(self, wanted);
    return begin(self, wanted);
  }
  if (is_brief(self) || !ghcomp_admission_has_others()) {
    unsigned free = exact ? wanted : ghcomp_admission_room();
    return (struct admitted){.threads = free < wanted ? free : wanted};
  }
  return begin(self, take_turn(self, wanted, exact, false));
}

/* It was told, and no region came of it.  */
static void asked_in_vain(struct thread *self)
{
  ghcomp_lock_acquire(&lock);
  bool had = self->told != 0;
  if (had)
    give_up(self);
  ghcomp_lock_release(&lock);
  self->told_until = 0;
  self->in_vain += self->in_vain < IN_VAIN_MOST;
  self->plain_questions = 1u << self->in_vain;
  if (had)
    let_next_in();
}

void ghcomp_admission_ask(struct thread *self, unsigned threads)
{
  bool leaving = self->followed;
  self->followed = false;
  if (self->told_until != 0 && !leaving) {
    if (cycles_now() <= self->told_until)
      return;
    asked_in_vain(self);
  }
  if (self->plain_questions != 0) {
    self->plain_questions--;
    return;
  }
  if (self->untimed != 0)
    return;
  take_turn(self, threads, true, true);
  ghcomp_lock_acquire(&lock);
  keep_turn(self, threads, TOLD_NS, false);
  ghcomp_lock_release(&lock);
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
  store_relaxed(&self->computes, ABOUT_TO); /* to leave: who looks around has the lock */
  ghcomp_lock_acquire(&lock);
  queue.moved = cycles_now();
  bool keeps = self->followed && self->untimed == 0;
  if (keeps) {
    keep_turn(self, counted, LEAVING_NS, true);
    store_relaxed(&self->computes, self->kernel_thread);
    store_seq_cst(&leaving_until, self->told_until);
  } else {
    put_back(self, counted);
  }
  struct thread *next = queue.first;
  ghcomp_lock_release(&lock);
  if (next == NULL)
    return;
  if (keeps)
    ghcomp_parking_wake(next); /* it sees to it that this does not last */
  else
    let_next_in();
}

void ghcomp_admission_abandon(struct thread *self)
{
  struct team *team = self->begun;
  if (self->region_began != 0 && team != NULL)
    ghcomp_admission_leave(self, team->admitted);
  if (self->told_until != 0)
    asked_in_vain(self);
}

unsigned ghcomp_admission_reduce(unsigned counted, unsigned threads)
{
  if (counted <= threads)
    return counted;
  ghcomp_lock_acquire(&lock);
  queue.taken -= counted - threads;
  store_relaxed(&taken_hint, queue.taken);
  ghcomp_lock_release(&lock);
  return threads;
}

void ghcomp_admission_after_fork(void)
{
  for (struct thread *t = ghcomp_stats_threads(); t != NULL; t = t->watched) {
    t->told = 0;
    t->told_until = 0;
    store_relaxed(&t->computes, 0);
  }
  memset(&queue, 0, sizeof queue);
  store_relaxed(&taken_hint, 0);
  store_relaxed(&ghcomp_admission_starting, 0);
  store_relaxed(&ghcomp_admission_masters, ghcomp_self_pointer != NULL);
}
