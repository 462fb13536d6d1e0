/* The program's locks: the locks of lock.h, counted, and timed with GHCOMP_STATS=1.  The runtime's
   own locks are not counted.  A lock that one thread sets and another one unsets (a task may be
   resumed elsewhere) is counted, but not timed.  */
#ifndef GHCOMP_WAIT_PROGRAM_LOCK_H
#define GHCOMP_WAIT_PROGRAM_LOCK_H

#include "base/cycles.h"
#include "wait/lock.h"
#include "wait/waiter.h"

static inline void note_entry(void)
{
  struct waiter *self = ghcomp_waiter_self;
  if (unlikely(self == NULL)) /* a thread that has not met the runtime */
    return;
  ghcomp_count(&self->counters, STAT_LOCK_HOLDS);
  if (unlikely(ghcomp_stats_timed) && self->locks_held++ == 0)
    self->locks_since = cycles_now();
}

static inline void note_exit(void)
{
  struct waiter *self = ghcomp_waiter_self;
  if (likely(!ghcomp_stats_timed) || self == NULL || self->locks_held == 0)
    return;
  if (--self->locks_held == 0)
    ghcomp_count_more(&self->counters, STAT_LOCK_HOLD_NS, cycles_now() - self->locks_since);
}

static inline void ghcomp_program_lock_acquire(lock_word *lock)
{
  ghcomp_lock_acquire(lock);
  note_entry();
}

static inline bool ghcomp_program_lock_try(lock_word *lock)
{
  bool taken = ghcomp_lock_try(lock);
  if (taken)
    note_entry();
  return taken;
}

static inline void ghcomp_program_lock_release(lock_word *lock)
{
  note_exit();
  ghcomp_lock_release(lock);
}

/* For nestable locks only the outermost entry counts.  `count`: what acquire and try return.  */
static inline int ghcomp_program_lock_note(int count)
{
  if (count == 1)
    note_entry();
  return count;
}

/* `count`: the lock's nesting count before the release.  */
static inline void ghcomp_program_lock_note_release(int count)
{
  if (count == 1)
    note_exit();
}

#endif
