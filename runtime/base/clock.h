/* Time in nanoseconds, for what is measured; a decision takes cycles.h.  */
#ifndef GHCOMP_BASE_CLOCK_H
#define GHCOMP_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
