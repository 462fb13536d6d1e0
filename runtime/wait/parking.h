/* How a thread waits: it spins, yields, and sleeps.  These are the steps; loop.h puts them in order,
   and parking.md says why no wake-up is lost.

   Whoever makes a condition true does so by a sequentially consistent read-modify-write, or by one
   that finds the sleeper's flag in the same word, and then calls ghcomp_parking_wake for the thread,
   or ghcomp_parking_wake_crew when it does not know which member it is.  */
#ifndef GHCOMP_WAIT_PARKING_H
#define GHCOMP_WAIT_PARKING_H

#include "base/atomics.h"
#include "wait/waiter.h"

struct waiting {
  struct waiter *self;     /* NULL: a thread that has not met the runtime */
  const struct crew *crew; /* whose others may share the processor; or NULL: */
  int beside;          /* who is waited for was on this processor; -1: nobody knows */
  unsigned gap;        /* pause instructions between two looks */
  unsigned looks;      /* pauses since it looked at the clock; where crowded, yields so far */
  uint64_t deadline;   /* nanoseconds, 0 before the clock was first read */
  uint64_t brief_end;  /* where crowded: cycles, until when it looks before it yields; 0 likewise */
  uint32_t budget;     /* nanoseconds of spinning */
  bool crowded;        /* more threads than processors: yield, do not spin */
  bool has_processors;     /* where crowded: but spin briefly; see waiter.h.  The caller sets it */
  bool shares;         /* so does a thread of the crew that was last on this processor */
};

/* Sets the budgets; called by the constructor.  `policy`: 1 active, 0 passive, else none is set.
   `spins`: GOMP_SPINCOUNT's number, or NULL.  */
void ghcomp_parking_configure(int policy, const unsigned long long *spins);

/* `threads` more (or fewer) threads of teams compete for the processors.  */
void ghcomp_parking_crowd(int threads);
void ghcomp_parking_reset_crowd(void); /* in a forked child */

/* Workers that teams hold.  */
unsigned ghcomp_parking_crowd_size(void);

/* More threads of teams than processors.  */
bool ghcomp_parking_is_crowded(void);

/* `self`, `crew`: or NULL.  */
struct waiting ghcomp_parking_begin(struct waiter *self, const struct crew *crew);

/* How many pause instructions take about so many cycles.  */
unsigned ghcomp_parking_gap(uint64_t cycles);

/* Waiting for the next region, which may be long in coming.  A worker learns: where
   it has spun for nothing it spins for half as long the next time; where spinning was
   enough, or would have been, for longer again.  `slept`: cycles between.  Not with a
   wait policy or GOMP_SPINCOUNT, which say.  */
struct waiting ghcomp_parking_begin_idle(struct waiter *self);
void ghcomp_parking_end_idle(struct waiter *self, uint64_t slept);

/* One round of waiting without sleeping.  False: the budget is spent, sleep. */
bool ghcomp_parking_spin(struct waiting *w);

void ghcomp_parking_prepare(struct waiter *self, struct crew *crew, enum park_for what);
void ghcomp_parking_sleep(struct waiter *self);
void ghcomp_parking_sleep_for(struct waiter *self, uint64_t nanoseconds);
void ghcomp_parking_finish(struct waiter *self, struct crew *crew);

void ghcomp_parking_wake_slow(struct waiter *waiter);

/* Wakes the waiter if it sleeps.  The caller's last write to the condition
   was a sequentially consistent read-modify-write.  Cost: one load of the
   waiter's line when it is awake.  */
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

/* Wakes those that sleep until `value` appears at `key` (ordered, doacross).  */
void ghcomp_parking_wake_key(struct crew *crew, const void *key, uint64_t value);

/* A count that reaches its base wakes its waiter: the release half of
   wait_count.  `waiter` was read before the count was lowered, because the
   count's memory may be gone afterwards.  */
static inline uint32_t ghcomp_parking_count_down(wait_count *count, struct waiter *waiter)
{
  /* Pairs with flag and is_reached in task_wait.c: the flag and the count are one word, so
     either this sees the flag, and with it the announcement, or the waiter the count.  */
  uint32_t old = sub_acq_rel(count, 1);
  if (unlikely((old & WAIT_FLAG) != 0) && WAIT_COUNT(old) == 2 && waiter != NULL)
    ghcomp_parking_wake(waiter);
  return WAIT_COUNT(old) - 1;
}

#endif
