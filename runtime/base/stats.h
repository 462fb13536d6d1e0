/* Counters of what the runtime does, for finding out why something is slow.

   Each thread counts on lines of its own, so a count costs one to three instructions and no
   transfer.  A query adds up all threads; while they run, it reads their counts at slightly
   different moments.  Barriers of teams of one are not counted, because they cost little more than
   a count.  */
#ifndef GHCOMP_BASE_STATS_H
#define GHCOMP_BASE_STATS_H

#include "base/atomics.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* What threads count; stats.c describes each.  */
enum stat {
  STAT_REGIONS, STAT_THREADS_ASKED, STAT_THREADS_GIVEN, STAT_WORKERS_STARTED, STAT_BARRIERS,
  STAT_PAUSES, STAT_YIELDS, STAT_SLEEPS, STAT_WAKES, STAT_CHUNKS, STAT_TASKS_AT_ONCE,
  STAT_TASKS_DEFERRED, STAT_TASKS_STOLEN, STAT_DEEPEST_QUEUE, STAT_LOCK_HOLDS, STAT_LOCK_HOLD_NS,
  STAT_LOCK_WAITS, STAT_LOCK_WAIT_NS, STAT_HASKELL_CALLS, STAT_CAPABILITY_WAIT_NS, STAT_CALLBACKS,
  STAT_CALLBACK_WAIT_NS, STAT_TURNS_WAITED, STAT_TURN_WAIT_NS, STAT_ROOM_MADE,
  STATS
};

/* One thread's, on cache lines of its own.  */
struct counters {
  _Atomic uint64_t count[STATS]; /* the owner counts, any thread reads */
  struct counters *next;         /* in the list of all threads that ever counted */
};

static inline void ghcomp_count_more(struct counters *mine, enum stat stat, uint64_t more)
{
#if defined(__x86_64__)
  /* One instruction.  For the load and the store GCC makes three.  So a task that is executed at
     once takes 98 instructions, and not 100; an entry to a critical section takes 33, and not
     35.  */
  __asm__("addq %1, %0" : "+m"(mine->count[stat]) : "er"(more));
#else
  store_relaxed(&mine->count[stat], load_relaxed(&mine->count[stat]) + more);
#endif
}

static inline void ghcomp_count(struct counters *mine, enum stat stat)
{
  ghcomp_count_more(mine, stat, 1);
}

static inline bool ghcomp_count_is_below(const struct counters *mine, enum stat stat, uint64_t value)
{
  return load_relaxed(&mine->count[stat]) < value;
}

static inline void ghcomp_count_most(struct counters *mine, enum stat stat, uint64_t value)
{
  if (unlikely(value > load_relaxed(&mine->count[stat])))
    store_relaxed(&mine->count[stat], value);
}

/* GHCOMP_STATS=1: counts that cost more are kept, too.  */
extern bool ghcomp_stats_timed;

/* Includes the counters of a new thread from now on.  They are never unmapped.  */
void ghcomp_stats_watch(struct counters *counters);

/* The first in the list of all threads that ever counted.  */
struct counters *ghcomp_stats_first(void);

const char *ghcomp_stats_name_of(unsigned stat);

/* Since the start, or the last reset.  */
uint64_t ghcomp_stats_sum(unsigned stat);

/* Sums begin at 0 again.  Counts that come at the same time are not lost.  */
void ghcomp_stats_forget(void);

/* NULL, or a function that says what a reader of the table should know first; it may return NULL.  Set by a constructor, called
   when the program ends.  */
extern const char *(*ghcomp_stats_note)(void);

/* Reads GHCOMP_STATS; called by the constructor.  */
void ghcomp_stats_configure(void);

#endif
