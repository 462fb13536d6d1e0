/* Replaces runtime/base/cycles.h: the clock stands still, because an execution must be repeatable.  */
#ifndef GHCOMP_BASE_CYCLES_H
#define GHCOMP_BASE_CYCLES_H

#include <stdint.h>

static inline uint64_t cycles_now(void)
{
  return 0;
}

static inline uint64_t cycles_after_loads(void)
{
  return 0;
}

static inline uint64_t cycles_in(uint64_t nanoseconds)
{
  return nanoseconds;
}

static inline uint64_t cycles_to_ns(uint64_t cycles)
{
  return cycles;
}

#endif
