/* How a thread waits: it spins for a while, yields where threads outnumber processors, and then
   sleeps on the futex word in its own descriptor.

   Invariant (parking.md, test/model/parking.pml): a thread sleeps only after it has announced the
   sleep in `park` (and in its crew's `parked`) and has then seen the condition false.  A thread
   that makes the condition true looks at the announcement afterwards.  These steps are sequentially
   consistent, so one of the two threads sees what the other has done.  */
#include "wait/parking.h"

#include "base/cycles.h"
#include "machine/clock.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "wait/lock.h"
#include "wait/waiter.h"
#include "wait/yields.h"

/* How long threads spin by default: in a region; and, at most and at least, between regions, where
   a worker learns.  The longest is long enough for the next region of a busy program with a short
   serial part, and short enough that idle workers sleep within 200 µs.  team/stay_awake.c puts that off
   while the master computes.  */
#define SPIN_DEFAULT_NS 60000u
#define IDLE_LONGEST_NS 175000u
#define IDLE_SHORTEST_NS 2000u
#define SPIN_FOREVER UINT32_MAX
#define CROWDED_YIELDS 24
#define BRIEF_NS 2000u /* about as long as a switch to another thread and back */
#define PAUSES_PER_CLOCK 64

/* Relaxed: whoever waits meanwhile may see the old ones.  */
static _Atomic uint32_t spin_budget = SPIN_DEFAULT_NS;
static _Atomic uint32_t crowded_yields = CROWDED_YIELDS;

/* Workers that are docked at teams, also at idle ones; and those of all workers that do not sleep between regions.
   Relaxed: hints.  */
static struct {
  CACHE_ALIGNED _Atomic int docked, awake;
} crowd;

struct running ghcomp_running;

/* Cycles of one pause instruction: about 40 on some processors, 140 on others.  */
static unsigned measure_pause(void)
{
  uint64_t shortest = UINT64_MAX;
  for (int round = 0; round < 8; round++) {
    uint64_t began = cycles_now();
    for (int i = 0; i < 16; i++)
      cpu_relax();
    uint64_t took = (cycles_now() - began) / 16;
    shortest = took < shortest ? took : shortest;
  }
  return shortest != 0 ? (unsigned)shortest : 1;
}

unsigned ghcomp_parking_pauses_in(uint64_t cycles)
{
  static _Atomic unsigned known; /* 0: not measured yet, so that programs that never wait do not pay
                                    for it */
  unsigned pause = load_relaxed(&known);
  if (unlikely(pause == 0)) {
    pause = measure_pause();
    store_relaxed(&known, pause);
  }
  return (unsigned)((cycles + pause / 2) / pause);
}

static void set_budgets(uint32_t nanoseconds, uint32_t yields)
{
  store_relaxed(&spin_budget, nanoseconds);
  store_relaxed(&crowded_yields, yields);
}

void ghcomp_parking_configure(int policy, const unsigned long long *spins)
{
  if (policy == 1)
    set_budgets(SPIN_FOREVER, 1000);
  else if (policy == 0)
    set_budgets(0, 0);
  /* GOMP_SPINCOUNT counts rounds of spinning.  A round is one pause instruction, which takes at
     least 15 ns or so.  */
  if (spins != NULL) {
    unsigned long long ns = *spins > UINT32_MAX / 16 ? SPIN_FOREVER : *spins * 15;
    uint32_t yields = *spins > 1000 ? 1000 : (uint32_t)*spins;
    if (*spins > CROWDED_YIELDS && policy != 1)
      yields = CROWDED_YIELDS;
    set_budgets((uint32_t)ns, yields);
  }
}

void ghcomp_parking_block_after(uint64_t nanoseconds)
{
  if (nanoseconds == PARKING_USUAL)
    set_budgets(SPIN_DEFAULT_NS, CROWDED_YIELDS);
  else if (nanoseconds == 0 || nanoseconds == PARKING_NEVER)
    ghcomp_parking_configure(nanoseconds != 0, NULL);
  else
    set_budgets(nanoseconds < SPIN_FOREVER ? (uint32_t)nanoseconds : SPIN_FOREVER - 1, CROWDED_YIELDS);
}

void ghcomp_parking_crowd(int threads)
{
  add_relaxed(&crowd.docked, threads);
}

void ghcomp_parking_awake(int threads)
{
  add_relaxed(&crowd.awake, threads);
}

void ghcomp_parking_reset_crowd(void)
{
  store_relaxed(&crowd.docked, 0);
  store_relaxed(&crowd.awake, 0);
}

unsigned ghcomp_parking_crowd_size(void)
{
  int threads = load_relaxed(&crowd.docked);
  return threads > 0 ? (unsigned)threads : 0;
}

static bool are_too_many(int awake, unsigned masters)
{
  return awake + (masters != 0 ? (int)masters : 1) > (int)ghcomp_machine_processors();
}

/* Masters are not in the count: those that have a region, or the only one.  How many have one changes with each region of several, so
   it is only looked at where it decides.  */
bool ghcomp_parking_is_crowded(void)
{
  int awake = load_relaxed(&crowd.awake);
  return are_too_many(awake, load_relaxed(&ghcomp_running.most_masters)) && are_too_many(awake, ghcomp_running_masters());
}

struct spin ghcomp_parking_begin(struct waiter *self, const struct crew *crew)
{
  return (struct spin){.self = self, .crew = crew, .awaited_processor = -1, .pauses_per_look = 1,
                       .budget = load_relaxed(&spin_budget), .crowded = ghcomp_parking_is_crowded(),
                       .shares_processor = self != NULL && self->shares_processor};
}

bool ghcomp_parking_learns(void)
{
  return load_relaxed(&spin_budget) == SPIN_DEFAULT_NS;
}

struct spin ghcomp_parking_begin_idle(struct waiter *self)
{
  struct spin w = ghcomp_parking_begin(self, NULL);
  if (!ghcomp_parking_learns())
    return w;
  if (self->idle_spin == 0)
    self->idle_spin = IDLE_LONGEST_NS;
  w.budget = self->idle_spin;
  return w;
}

void ghcomp_parking_end_idle(struct waiter *self, uint64_t slept)
{
  uint32_t spin = self->idle_spin * 2;
  if (slept != 0 && slept + cycles_in(self->idle_spin) <= cycles_in(IDLE_LONGEST_NS))
    spin = IDLE_LONGEST_NS;
  else if (slept != 0)
    spin = self->idle_spin / 2;
  self->idle_spin = spin > IDLE_LONGEST_NS ? IDLE_LONGEST_NS
                    : spin < IDLE_SHORTEST_NS ? IDLE_SHORTEST_NS
                                              : spin;
}

/* True: another thread of the crew was last on this processor.  It may be the thread that is waited
   for, and may need the processor.  */
static bool shares_processor(const struct spin *w)
{
  int here = ghcomp_machine_here();
  return w->awaited_processor == here || (w->crew != NULL && ghcomp_crew_kind->has_other_on(w->crew, w->self, here));
}

/* Threads may outnumber processors because members of the crew have teams of their own.  Then the
   thread that is waited for usually runs on another processor, and may be done sooner than this
   thread would return from a yield.  */
static bool spins_briefly(struct spin *w)
{
  if (w->pauses_or_yields != 0 || load_relaxed(&crowded_yields) == 0 || (!w->has_processors && !ghcomp_running_are_several()))
    return false;
  uint64_t now = cycles_now();
  if (w->brief_spin_end == 0)
    w->brief_spin_end = shares_processor(w) ? now : now + cycles_in(BRIEF_NS);
  if (now >= w->brief_spin_end)
    return false;
  for (unsigned i = 0; i < w->pauses_per_look; i++)
    cpu_relax();
  return true;
}

/* Not with the active policy.  */
static bool may_learn(const struct spin *w)
{
  return w->self != NULL && load_relaxed(&crowded_yields) <= CROWDED_YIELDS;
}

static void suspect(const struct spin *w)
{
  if (w->self != NULL && w->crew != NULL)
    ghcomp_crew_kind->suspect(w->self, w->crew);
}

static void yield(const struct spin *w)
{
  if (may_learn(w))
    ghcomp_yields_make_and_learn(w->self);
  else
    ghcomp_yields_make(w->self);
}

static void pause_or_yield(const struct spin *w)
{
  if (w->shares_processor) {
    yield(w);
    return;
  }
  for (unsigned i = 0; i < w->pauses_per_look; i++)
    cpu_relax();
}

static bool spin_in_crowd(struct spin *w)
{
  uint32_t most = load_relaxed(&crowded_yields);
  if (spins_briefly(w))
    return true;
  if (w->pauses_or_yields == 0 && may_learn(w) && ghcomp_yields_sleep_instead(w->self))
    w->pauses_or_yields = most;
  if (w->pauses_or_yields++ >= most)
    return false;
  yield(w);
  suspect(w);
  return true;
}

/* The system's timers are as late as that by default (the slack of a thread), so a shorter sleep takes as long.  */
#define ASIDE_NS 50000u

void ghcomp_parking_step_aside(void)
{
  _Atomic uint32_t nobody_wakes = 0;
  if (load_relaxed(&crowded_yields) != 0)
    ghcomp_machine_yield();
  else
    ghcomp_park_wait_for(&nobody_wakes, 0, ASIDE_NS);
}

bool ghcomp_parking_spin(struct spin *w)
{
  if (w->crowded)
    return spin_in_crowd(w);
  if (w->budget == SPIN_FOREVER) {
    cpu_relax();
    return true;
  }
  if (w->budget == 0 || (unlikely(w->shares_processor) && may_learn(w) && ghcomp_yields_sleep_instead(w->self)))
    return false;
  pause_or_yield(w);
  w->pauses_or_yields += w->pauses_per_look;
  if (w->pauses_or_yields < PAUSES_PER_CLOCK && !w->shares_processor)
    return true;
  uint64_t now = clock_ns(), pauses = w->pauses_or_yields;
  w->pauses_or_yields = 0;
  w->shares_processor = shares_processor(w);
  if (w->self != NULL) {
    w->self->shares_processor = w->shares_processor;
    ghcomp_count_more(&w->self->counters, STAT_PAUSES, pauses);
  }
  if (w->shares_processor)
    suspect(w);
  if (w->deadline == 0)
    w->deadline = now + w->budget;
  return now < w->deadline;
}

void ghcomp_parking_prepare(struct waiter *self, struct crew *crew, enum park_for what)
{
  store_relaxed(&self->park_for, (uint32_t)what);
  /* Pairs with the loads in ghcomp_parking_wake and ghcomp_parking_wake_crew.  */
  swap_seq_cst(&self->park, PARKED);
  if (crew != NULL)
    add_seq_cst(&crew->parked, 1);
}

void ghcomp_parking_sleep(struct waiter *self)
{
  ghcomp_count(&self->counters, STAT_SLEEPS);
  ghcomp_park_wait(&self->park, PARKED);
}

void ghcomp_parking_sleep_for(struct waiter *self, uint64_t nanoseconds)
{
  ghcomp_count(&self->counters, STAT_SLEEPS);
  ghcomp_park_wait_for(&self->park, PARKED, nanoseconds);
}

void ghcomp_parking_finish(struct waiter *self, struct crew *crew)
{
  store_relaxed(&self->park_key, NULL);
  store_relaxed(&self->park, AWAKE);
  if (crew != NULL)
    sub_relaxed(&crew->parked, 1);
}

static void wake(struct waiter *waiter)
{
  ghcomp_lock_wake(&waiter->park);
  if (ghcomp_waiter_self != NULL)
    ghcomp_count(&ghcomp_waiter_self->counters, STAT_WAKES);
}

void ghcomp_parking_wake_slow(struct waiter *waiter)
{
  /* The swap decides which thread wakes the sleeper.  The sleeper sees the condition by its own
     next look.  */
  if (swap_relaxed(&waiter->park, AWAKE) == PARKED)
    wake(waiter);
}

bool ghcomp_parking_call(struct waiter *waiter)
{
  uint32_t parked = PARKED;
  if (!cas_relaxed(&waiter->park, &parked, CALLED)) /* as the swap above */
    return false;
  wake(waiter);
  return true;
}

void ghcomp_parking_wake_crew_slow(struct crew *crew)
{
  unsigned size = ghcomp_crew_kind->size(crew);
  for (unsigned i = 0; i < size; i++) {
    struct waiter *waiter = ghcomp_crew_kind->waiter(crew, i);
    if (waiter != NULL)
      ghcomp_parking_wake(waiter);
  }
}

/* Relaxed: the caller has seen `sleepers` above 0, and has acquired the announcement with it.  */
void ghcomp_parking_wake_key(struct crew *crew, const void *key, uint64_t value)
{
  unsigned size = ghcomp_crew_kind->size(crew);
  for (unsigned i = 0; i < size; i++) {
    struct waiter *waiter = ghcomp_crew_kind->waiter(crew, i);
    if (waiter != NULL && load_relaxed(&waiter->park) != AWAKE &&
        load_relaxed(&waiter->park_key) == key && load_relaxed(&waiter->park_value) <= value)
      ghcomp_parking_wake_slow(waiter);
  }
}
