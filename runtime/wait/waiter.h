/* What waiting keeps of a thread, and what wakes it.  */
#ifndef GHCOMP_WAIT_WAITER_H
#define GHCOMP_WAIT_WAITER_H

#include "base/stats.h"

#include <stddef.h>

struct task;
struct thread;

/* A count of things that are still to happen, with a flag that somebody sleeps
   until only `base` of them are left.  See parking.md.  */
typedef _Atomic uint32_t wait_count;
#define WAIT_FLAG 0x80000000u
#define WAIT_COUNT(v) ((v) & ~WAIT_FLAG)

enum park_state { AWAKE, PARKED };

/* What a sleeper would take, so that a waker can choose whom to wake.  */
enum park_for { PARK_FOR_NOTHING, PARK_FOR_ANY_TASK, PARK_FOR_DESCENDANT };

/* It begins a cache line.  Half of its last line is left to its owner's storey, for what those
   write that wake it: they look at `park` afterwards.  */
struct waiter {
  struct counters counters;
  /* Owner.  */
  uint32_t idle_spin;             /* worker: nanoseconds of spinning between regions; parking.c */
  unsigned waits;                 /* so far, of the kinds that are timed now and then */
  uint32_t line_cost, look_gap;   /* cycles, pause instructions; see line_cost.h */
  _Atomic int processor;          /* where it was last; written when it changes; others read it */
  bool shares;                    /* when it last waited long, another of its team was on its processor */
  unsigned locks_held;            /* locks of the program, while they are timed; see program_lock.h */
  uint64_t locks_since;           /* cycles */
  unsigned char line_end[16];
  /* Owner writes, wakers read and write: see parking.md.  */
  _Atomic uint32_t park;          /* enum park_state; the futex word */
  _Atomic uint32_t park_for;
  _Atomic(struct task *) park_task;
  _Atomic(const void *) park_key; /* what it waits for, where one sleeper is meant */
  _Atomic uint64_t park_value;
};

_Static_assert(offsetof(struct waiter, park) % CACHELINE == 0, "wakers do not write to the owner's lines");

/* The calling thread's, and its whole descriptor, which storeys above know; both NULL before it first
   met the runtime.  They are set together: ghcomp_self_becomes.  */
extern _Thread_local struct waiter *ghcomp_waiter_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern _Thread_local struct thread *ghcomp_self_pointer
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ---------------------------------------------------------------------- crew */

/* What waiting asks about the threads that wait for each other, a team's.  The storey that has
   teams answers.  */

struct crew {
  _Atomic uint32_t parked; /* members asleep, or about to */
};

struct crew_kind {
  unsigned (*size)(const struct crew *crew);

  /* Who serves as that member; NULL: nobody.  */
  struct waiter *(*waiter)(const struct crew *crew, unsigned number);

  /* It has a processor for each of its threads, so its threads spin briefly even where threads of all
     crews outnumber processors.  */
  bool (*has_processors)(const struct crew *crew);

  /* In which the thread is now; NULL: in none.  */
  struct crew *(*of)(struct waiter *self);

  /* The thread has yielded while it waited, or shares its processor with another of the crew.  */
  void (*suspect)(struct waiter *self, const struct crew *crew);
};

/* Set before threads wait; until then there are no crews.  */
extern const struct crew_kind *ghcomp_crew_kind;

#endif
