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
};
extern struct running ghcomp_running;

static inline void ghcomp_running_begin(unsigned threads)
{
  add_relaxed(&ghcomp_running.regions, RUNNING_REGION + threads);
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
