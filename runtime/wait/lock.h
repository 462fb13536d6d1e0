/* Locks in four bytes of the user's memory: 0 free, 1 held, 2 held and a thread may sleep.
   critical, atomic and the runtime's own rare paths use them, too.  Spec: 5.2, 15.2, 18.9.  */
#ifndef GHCOMP_WAIT_LOCK_H
#define GHCOMP_WAIT_LOCK_H

#include "base/atomics.h"
#include "base/inside.h"
#include "base/memory.h"

#include <stdint.h>

typedef _Atomic uint32_t lock_word;
enum { LOCK_FREE, LOCK_HELD, LOCK_CONTENDED };

/* A lock of the library's.  It has a line of its own: the line goes from thread to thread, and would take with it what
   every wait reads.  */
struct own_lock {
  CACHE_ALIGNED lock_word word;
};

/* One that the runtime itself holds.  They all stand in one section, so that a forked child can free
   them, whichever thread held them.  */
#define FREED_IN_CHILD __attribute__((section("ghcomp_locks")))
#define OWN_LOCK(name) static struct own_lock name FREED_IN_CHILD

/* In a forked child.  */
void ghcomp_lock_after_fork(void);

void ghcomp_lock_acquire_slow(lock_word *lock);
void ghcomp_lock_wake(lock_word *lock);

static inline bool ghcomp_lock_try(lock_word *lock)
{
  uint32_t expected = LOCK_FREE;
  return cas_acquire(lock, &expected, LOCK_HELD); /* pairs with ghcomp_lock_release */
}

static inline void ghcomp_lock_acquire(lock_word *lock)
{
  if (unlikely(!ghcomp_lock_try(lock)))
    ghcomp_lock_acquire_slow(lock);
}

static inline void ghcomp_lock_release(lock_word *lock)
{
  if (unlikely(swap_release(lock, LOCK_FREE) == LOCK_CONTENDED))
    ghcomp_lock_wake(lock);
}

/* For a lock of the library's, also one without a line of its own.  */
static inline void ghcomp_lock_own(lock_word *lock)
{
  ghcomp_inside_begin();
  ghcomp_lock_acquire(lock);
}

static inline void ghcomp_unlock_own(lock_word *lock)
{
  ghcomp_lock_release(lock);
  ghcomp_inside_end();
}

/* Nestable locks: owned by a task (OpenMP 3.0 and later).  The layout is
   omp_nest_lock_t's 16 bytes.  */
struct nest_lock {
  lock_word lock;
  int count;             /* owner */
  _Atomic(void *) owner; /* the owning task; written by the holder */
};

/* Each returns the nesting count after the call.  */
int ghcomp_lock_nest_acquire(struct nest_lock *lock, void *task);
int ghcomp_lock_nest_try(struct nest_lock *lock, void *task); /* 0: held by another task */
void ghcomp_lock_nest_release(struct nest_lock *lock);

/* Nestable locks of OpenMP 2.5 (version node OMP_1.0): owned by a thread, in 8 bytes: the thread's
   kernel number + 1, and the count.  The functions return the same as those above.  */
struct nest_lock_25 {
  lock_word owner; /* 0 free, else thread number + 1 */
  int count;
};

int ghcomp_lock_nest25_acquire(struct nest_lock_25 *lock);
int ghcomp_lock_nest25_try(struct nest_lock_25 *lock);
void ghcomp_lock_nest25_release(struct nest_lock_25 *lock);

#endif
