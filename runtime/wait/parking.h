/* How a thread waits: it spins, yields, and sleeps.  These are the steps; loop.h puts them in
   order, and parking.md says why no wake-up is lost.

   A thread that makes a condition true does so by a sequentially consistent read-modify-write, or
   by one that finds the sleeper's flag in the same word.  Then it calls ghcomp_parking_wake for the
   waiting thread, or ghcomp_parking_wake_crew if it does not know which member waits.  */
#ifndef GHCOMP_WAIT_PARKING_H
#define GHCOMP_WAIT_PARKING_H

#include "base/atomics.h"
#include "wait/waiter.h"

/* How a thread spins in one wait.  */
struct spin {
  struct waiter *self;      /* NULL: a thread that has not met the runtime */
  const struct crew *crew;  /* its other threads may share the processor; or NULL */
  int awaited_processor;    /* of the thread that is waited for; -1: not known */
  unsigned pauses_per_look; /* pause instructions between two looks */
  unsigned pauses_or_yields; /* pauses since the last look at the clock; if crowded, yields so far */
  uint64_t deadline;        /* nanoseconds; 0: the clock has not been read yet */
  uint64_t brief_spin_end;  /* if crowded: cycles; it looks until then, and yields afterwards; 0: not
                               set yet */
  uint32_t budget;          /* nanoseconds of spinning */
  bool crowded;             /* more threads than processors: yield, do not spin */
  bool has_processors;      /* if crowded: spin briefly all the same; see waiter.h.  The caller sets
                               it */
  bool shares_processor;    /* a thread of the crew was last on this processor: yield */
};

/* Sets the budgets.  `policy`: 1 active, 0 passive, otherwise none is set.  `spins`: the number of
   GOMP_SPINCOUNT, or NULL.
   Called by: the constructor.  */
void ghcomp_parking_configure(int policy, const unsigned long long *spins);

/* From now on whoever waits sleeps after so long (4 s at the most, but for NEVER).  USUAL: as without any setting,
   where a worker learns how long to wait for the next region.  Any thread may call it at any time.  */
#define PARKING_USUAL UINT64_MAX
#define PARKING_NEVER (UINT64_MAX - 1)
void ghcomp_parking_block_after(uint64_t nanoseconds);

/* Teams hold `threads` workers more (or fewer).  */
void ghcomp_parking_crowd(int threads);

/* `threads` more (or fewer) workers are awake: they do not sleep between regions.  */
void ghcomp_parking_awake(int threads);

void ghcomp_parking_reset_crowd(void); /* in a forked child */

/* Workers that teams hold.  */
unsigned ghcomp_parking_crowd_size(void);

/* More threads of teams that do not sleep between regions than processors.  */
bool ghcomp_parking_is_crowded(void);

/* `self` and `crew` may be NULL.  */
struct spin ghcomp_parking_begin(struct waiter *self, const struct crew *crew);

/* How many pause instructions take about `cycles` cycles.  */
unsigned ghcomp_parking_pauses_in(uint64_t cycles);

/* Waiting for the next region, which may be far away.  A worker learns how long to spin: if it has
   spun for nothing, it spins half as long the next time; if spinning was enough, or would have
   been, it spins longer again.  A wait policy or GOMP_SPINCOUNT turns this off.  `slept`: cycles of
   sleep.  */
struct spin ghcomp_parking_begin_idle(struct waiter *self);
void ghcomp_parking_end_idle(struct waiter *self, uint64_t slept);

/* False: a wait policy or GOMP_SPINCOUNT says how long threads spin.  */
bool ghcomp_parking_learns(void);

/* One round of waiting without sleep.  False: the budget is spent, and the thread should sleep. */
bool ghcomp_parking_spin(struct spin *w);

/* Lets another thread have this processor that needs it for a few instructions: by a yield or, with the passive policy, which yields
   never, by a short sleep.  */
void ghcomp_parking_step_aside(void);

void ghcomp_parking_prepare(struct waiter *self, struct crew *crew, enum park_for what);
void ghcomp_parking_sleep(struct waiter *self);
void ghcomp_parking_sleep_for(struct waiter *self, uint64_t nanoseconds);
void ghcomp_parking_finish(struct waiter *self, struct crew *crew);

void ghcomp_parking_wake_slow(struct waiter *waiter);

/* Wakes the waiter for a task.  Until it looks it is CALLED.  False: it did not sleep, or another thread was faster.  */
bool ghcomp_parking_call(struct waiter *waiter);

/* Wakes the waiter if it sleeps.
   Requires: the caller's last write to the condition was a sequentially consistent
   read-modify-write.
   Cost: one load of the waiter's line if it is awake.  */
static inline void ghcomp_parking_wake(struct waiter *waiter)
{
  /* Pairs with the swap in ghcomp_parking_prepare.  */
  if (load_seq_cst(&waiter->park) != AWAKE)
    ghcomp_parking_wake_slow(waiter);
}

/* Wakes all of the crew that sleep.  */
void ghcomp_parking_wake_crew_slow(struct crew *crew);

static inline void ghcomp_parking_wake_crew(struct crew *crew)
{
  /* Pairs with the addition to `parked` in ghcomp_parking_prepare.  */
  if (load_seq_cst(&crew->parked) != 0)
    ghcomp_parking_wake_crew_slow(crew);
}

/* Wakes the threads that sleep until `value`, or less, appears at `key` (ordered, doacross).  */
void ghcomp_parking_wake_key(struct crew *crew, const void *key, uint64_t value);

/* Subtracts from a wait_count, and wakes its waiter when the count reaches its base.  Returns
   what is left.  `waiter` is read before the subtraction, because afterwards the count's memory may
   be freed.  */
static inline uint32_t ghcomp_parking_count_down_by(wait_count *count, uint32_t by, struct waiter *waiter)
{
  /* Pairs with flag and is_reached in task_wait.c.  Flag and count are one word: either this thread
     sees the flag, and with it the announcement, or the waiter sees the count.  */
  uint32_t old = sub_acq_rel(count, by);
  if (unlikely((old & WAIT_FLAG) != 0) && WAIT_COUNT(old) == by + 1 && waiter != NULL)
    ghcomp_parking_wake(waiter);
  return WAIT_COUNT(old) - by;
}

static inline uint32_t ghcomp_parking_count_down(wait_count *count, struct waiter *waiter)
{
  return ghcomp_parking_count_down_by(count, 1, waiter);
}

#endif
