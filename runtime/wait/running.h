/* The regions of the outermost level that run now, and their threads.

   They are counted where it matters: while several native threads have met the runtime, and where a region may be smaller
   than it asks for.  A region that began before it mattered is not counted.  */
#ifndef GHCOMP_WAIT_RUNNING_H
#define GHCOMP_WAIT_RUNNING_H

#include "base/atomics.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

#define RUNNING_REGION ((uint64_t)1 << 32)

/* Each on a line of its own: every region of several masters writes the first, and waits read both.  Relaxed: hints, which order
   nothing.  */
struct running {
  CACHE_ALIGNED _Atomic uint64_t regions; /* << 32 | threads */
  /* Changes when a master is about to begin regions that others have waited for: workers that wait for a next region sleep at
     once, so that those of that master find processors.  */
  CACHE_ALIGNED _Atomic unsigned turns;
  /* So many masters at most had regions at once, since the process began.  Seldom changes, so who needs to know only whether they are
     few reads this first.  */
  CACHE_ALIGNED _Atomic unsigned most_masters;
};
extern struct running ghcomp_running;

static inline void ghcomp_running_begin(unsigned threads)
{
  unsigned masters = (unsigned)(add_relaxed(&ghcomp_running.regions, RUNNING_REGION + threads) / RUNNING_REGION) + 1;
  unsigned most = load_relaxed(&ghcomp_running.most_masters);
  while (unlikely(masters > most) && !cas_relaxed(&ghcomp_running.most_masters, &most, masters))
    ;
}

static inline void ghcomp_running_end(unsigned threads)
{
  sub_relaxed(&ghcomp_running.regions, RUNNING_REGION + threads);
}

static inline unsigned ghcomp_running_threads(void)
{
  return (uint32_t)load_relaxed(&ghcomp_running.regions);
}

static inline unsigned ghcomp_running_masters(void)
{
  return (unsigned)(load_relaxed(&ghcomp_running.regions) / RUNNING_REGION);
}

/* True: regions of several masters run.  */
static inline bool ghcomp_running_are_several(void)
{
  return load_relaxed(&ghcomp_running.regions) >= 2 * RUNNING_REGION;
}

#endif
