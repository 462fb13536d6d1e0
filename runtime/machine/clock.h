/* Time, for measurements.  For decisions there is base/cycles.h.  */
#ifndef GHCOMP_MACHINE_CLOCK_H
#define GHCOMP_MACHINE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment.  Cost: some twenty nanoseconds, without a system call.  */
static inline uint64_t clock_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The same at the system's last tick, which was at most a few milliseconds ago.
   Cost: a few nanoseconds.  */
static inline uint64_t clock_coarse_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The least difference between two values of clock_ns, in nanoseconds.  */
static inline uint64_t clock_resolution_ns(void)
{
  struct timespec between;
  clock_getres(CLOCK_MONOTONIC, &between);
  return (uint64_t)between.tv_sec * 1000000000 + (uint64_t)between.tv_nsec;
}

#endif
