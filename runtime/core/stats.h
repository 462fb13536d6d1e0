/* Counters of what the runtime does, for finding out why something is slow.

   Each thread counts on lines of its own, so a count costs an instruction or three and no
   transfer.  Who asks adds up all threads; while they run, the sum is of slightly different
   moments.  Barriers of teams of one are not counted: they cost little more than a count.  */
#ifndef GHCOMP_CORE_STATS_H
#define GHCOMP_CORE_STATS_H

#include "core/types.h"

static inline void ghcomp_count_more(struct thread *self, enum stat stat, uint64_t more)
{
#if defined(__x86_64__)
  /* One instruction where GCC makes three of the load and the store.  */
  __asm__("addq %1, %0" : "+m"(self->stats[stat]) : "er"(more));
#else
  store_relaxed(&self->stats[stat], load_relaxed(&self->stats[stat]) + more);
#endif
}

static inline void ghcomp_count(struct thread *self, enum stat stat)
{
  ghcomp_count_more(self, stat, 1);
}

static inline void ghcomp_count_most(struct thread *self, enum stat stat, uint64_t value)
{
  if (unlikely(value > load_relaxed(&self->stats[stat])))
    store_relaxed(&self->stats[stat], value);
}

/* GHCOMP_STATS=1: what costs more to count is counted too.  */
extern bool ghcomp_stats_timed;

/* A new descriptor, which is never unmapped, is looked at from now on.  */
void ghcomp_stats_watch(struct thread *thread);

/* The first of all descriptors that there ever were; `watched` is the next.  */
struct thread *ghcomp_stats_threads(void);

const char *ghcomp_stats_name_of(unsigned stat);

/* Since the start, or the last reset.  */
uint64_t ghcomp_stats_sum(unsigned stat);

/* Sums begin at 0 again; what is counted meanwhile is not lost.  */
void ghcomp_stats_forget(void);

/* Reads GHCOMP_STATS; called by the constructor.  */
void ghcomp_stats_configure(void);

#endif
