/* What waiting knows of a thread, and of the threads that wait for each other.  */
#ifndef GHCOMP_WAIT_WAITER_H
#define GHCOMP_WAIT_WAITER_H

#include "base/stats.h"

#include <stddef.h>

struct task;
struct thread;

/* A count of things that are still to happen, with a flag: a thread sleeps until only a few of them
   are left (the base).  See parking.md, Counts.  */
typedef _Atomic uint32_t wait_count;
#define WAIT_FLAG 0x80000000u
#define WAIT_COUNT(v) ((v) & ~WAIT_FLAG)

enum park_state {
  AWAKE,
  PARKED,
  CALLED /* woken for a task, and has not looked yet */
};

/* Which tasks a sleeper would execute.  So a waker can choose which thread to wake.  */
enum park_for { PARK_FOR_NOTHING, PARK_FOR_ANY_TASK, PARK_FOR_DESCENDANT };

/* It begins at a cache line.  Half of its last line is left to the storey of its owner, for the
   words that wakers write: they look at `park` afterwards.  */
struct waiter {
  struct counters counters;
  /* Owner.  */
  uint32_t idle_spin;             /* worker: nanoseconds of spinning between regions; parking.c */
  unsigned sampled_waits;         /* waits of the kinds of which line_cost.h times some, so far */
  uint32_t line_cost;             /* cycles; see line_cost.h */
  uint32_t look_pauses;           /* pause instructions between two looks; the same */
  bool shares_processor;          /* in its last long wait another thread of its team was on its
                                     processor */
  unsigned short sleeps_left;     /* after a long yield: waits that sleep before the next that yields */
  unsigned locks_held;            /* locks of the program that it holds, if they are timed; see
                                     program_lock.h */
  uint64_t locks_since;           /* cycles */
  unsigned char padding[15];
  /* Its place in the queue for a lock: see lock_queue.h.  The owner writes, the thread behind it reads as long as it waits.  */
  _Atomic unsigned lock_ticket; /* 0: it stands in no queue */
  unsigned lock_tickets;        /* the last one that it had */
  _Atomic(const void *) lock_awaited;
  unsigned char more_padding[CACHELINE - 2 * sizeof(unsigned) - sizeof(void *)];
  /* The owner writes, wakers read and write: see parking.md.  */
  _Atomic uint32_t park;          /* enum park_state; the futex word */
  _Atomic uint32_t park_for;
  _Atomic(struct task *) park_task;
  _Atomic(const void *) park_key; /* which word it waits for, if wakers choose by the word */
  _Atomic uint64_t park_value;
};

_Static_assert(offsetof(struct waiter, lock_ticket) % CACHELINE == 0, "it shares its line with nothing");
_Static_assert(offsetof(struct waiter, park) % CACHELINE == 0, "wakers do not write to the owner's lines");

/* The calling thread's waiter, and its whole descriptor, which the storeys above know.  Both are
   NULL until the thread has met the runtime. ghcomp_self_becomes sets both.  */
extern _Thread_local struct waiter *ghcomp_waiter_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern _Thread_local struct thread *ghcomp_self_pointer
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The number that omp_get_thread_num returns: that of its member; 0 before it has met the runtime.
   It is here because programs ask for it in their innermost loops: one load instead of three that
   wait for each other.  ghcomp_self_serves and ghcomp_self_becomes set it.  */
extern _Thread_local unsigned ghcomp_self_number
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* ---------------------------------------------------------------------- crew */

/* A crew is a set of threads that wait for each other: a team.  Waiting asks these questions about
   it, and the storey that has teams answers.  */

struct crew {
  _Atomic uint32_t parked; /* members that sleep, or are about to */
};

struct crew_kind {
  unsigned (*size)(const struct crew *crew);

  /* The thread that serves as that member; NULL: none.  */
  struct waiter *(*waiter)(const struct crew *crew, unsigned number);

  /* True: the machine has a processor for each of its threads.  Then its threads spin briefly, even
     if the threads of all crews outnumber the processors.  */
  bool (*has_processors)(const struct crew *crew);

  /* The crew that the thread is in; NULL: none.  */
  struct crew *(*of)(struct waiter *self);

  /* Called when the thread has yielded in a wait, or shares its processor with another of the
     crew.  */
  void (*suspect)(struct waiter *self, const struct crew *crew);

  /* True: another of its threads was last seen on that processor.  */
  bool (*has_other_on)(const struct crew *crew, const struct waiter *self, int processor);
};

/* Set before the first thread waits.  Until then there are no crews.  */
extern const struct crew_kind *ghcomp_crew_kind;

#endif
