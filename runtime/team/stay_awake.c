/* See stay_awake.h.  Only the worker itself reads and writes its `awake`.  */
#include "team/stay_awake.h"

#include "machine/clock.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "threads/substrate.h"
#include "wait/parking.h"

#define STAY_LONGEST_NS 2000000u
#define STAY_LOOK_NS 50000u
/* For each worker that a team holds, because each look takes a lock of the master's processor.  */
#define STAY_LOOK_MORE_NS 5000u
#define NEAR_NS 10000u          /* a round of spinning takes less */
#define LONG_YIELD_NS 20000u    /* if nobody else wants the processor, it is less than 2 µs */
/* After a long yield the worker does not stay awake in so many of the next waits: a thread of the system's
   takes the processor for once, a program that computes takes it each time.  */
#define FEWEST_WITHOUT 4u
#define MOST_WITHOUT 64u
#define CALM_YIELDS 32u /* that are short, in a row: nobody else computes here now */
/* So many waits in a row must be too long before it no longer pays.  */
#define PATIENCE 2

/* The master's region is not over, and has tasks.  Whoever makes a task wakes a worker for it.  */
static bool may_be_woken_for_tasks(const struct thread *self)
{
  const struct team *team = self->dock.team;
  return team != NULL && load_relaxed(&team->any_deferred);
}

static bool is_allowed(const struct thread *self)
{
  return !may_be_woken_for_tasks(self) && ghcomp_parking_learns() && !ghcomp_parking_is_crowded() &&
         !ghcomp_machine_has_quota() && !ghcomp_substrate_host_is_haskell();
}

/* 0: the master is not known, or has ended.  */
static uint64_t master_computed(const struct thread *self)
{
  const struct thread *master = self->awake.master;
  int kernel_thread = master != NULL ? load_relaxed(&master->kernel_thread) : 0;
  return kernel_thread != 0 ? ghcomp_machine_thread_computed(kernel_thread) : 0;
}

/* For half of the time at least since the last look, whose values it replaces.  */
static bool master_computes(struct thread *self, uint64_t now)
{
  struct thread_awake *awake = &self->awake, last = *awake;
  awake->looked = now;
  awake->computed = master_computed(self);
  return awake->computed > last.computed && awake->computed - last.computed >= (now - last.looked) / 2;
}

static void begin(struct thread *self, uint64_t now)
{
  self->awake.since = self->awake.looked = now;
  self->awake.computed = master_computed(self);
}

static bool others_want_processor(struct thread *self, uint64_t now)
{
  ghcomp_machine_yield();
  ghcomp_count(&self->waiter.counters, STAT_YIELDS);
  return clock_ns() - now > LONG_YIELD_NS;
}

static void note_short_yield(struct thread_awake *awake)
{
  if (++awake->short_yields < CALM_YIELDS)
    return;
  awake->short_yields = awake->long_yields = 0;
}

static void note_long_yield(struct thread_awake *awake)
{
  unsigned waits = FEWEST_WITHOUT << awake->long_yields;
  awake->patience = awake->short_yields = 0;
  awake->waits_without = (unsigned char)waits;
  awake->long_yields += waits < MOST_WITHOUT;
}

/* The first look has nothing to compare with.  */
static bool goes_on(struct thread *self, uint64_t now)
{
  if (!is_allowed(self))
    return false;
  if (self->awake.since == 0) {
    begin(self, now);
    return true;
  }
  if (now - self->awake.since > STAY_LONGEST_NS || !master_computes(self, now))
    return false;
  if (others_want_processor(self, now)) {
    note_long_yield(&self->awake);
    return false;
  }
  note_short_yield(&self->awake);
  return true;
}

uint64_t ghcomp_stay_awake_until(struct thread *self, uint64_t deadline)
{
  uint64_t now = clock_ns();
  if (now + NEAR_NS < deadline || !goes_on(self, now))
    return deadline;
  return now + STAY_LOOK_NS + NEAR_NS + STAY_LOOK_MORE_NS * ghcomp_parking_crowd_size();
}

void ghcomp_stay_awake_before_sleep(struct thread *self)
{
  if (self->awake.since == 0 && is_allowed(self))
    begin(self, clock_ns());
}

void ghcomp_stay_awake_learn_slowly(struct thread *self)
{
  uint64_t now = clock_ns();
  bool pays = now - self->awake.since <= STAY_LONGEST_NS && master_computes(self, now);
  self->awake.since = 0;
  if (self->awake.waits_without != 0)
    self->awake.waits_without--;
  else if (pays)
    self->awake.patience = PATIENCE;
  else if (self->awake.patience != 0)
    self->awake.patience--;
}
