/* Time, for what is measured; a decision takes base/cycles.h.  */
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

/* The same as of the system's last tick, a few milliseconds ago at most.  Cost: a few nanoseconds.  */
static inline uint64_t clock_coarse_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Nanoseconds between two values that clock_ns can have.  */
static inline uint64_t clock_resolution_ns(void)
{
  struct timespec between;
  clock_getres(CLOCK_MONOTONIC, &between);
  return (uint64_t)between.tv_sec * 1000000000 + (uint64_t)between.tv_nsec;
}

#endif
