/* A counter with a constant rate of at most a few per nanosecond, which is read in a few
   nanoseconds: for decisions, not for measurements.  */
#ifndef GHCOMP_BASE_CYCLES_H
#define GHCOMP_BASE_CYCLES_H

#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include "machine/clock.h"
#endif

static inline uint64_t cycles_now(void)
{
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return clock_ns();
#endif
}

/* The same, after all earlier loads have their values.  */
static inline uint64_t cycles_after_loads(void)
{
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory");
#endif
  return cycles_now();
}

/* About how many cycles pass in so many nanoseconds.  */
static inline uint64_t cycles_in(uint64_t nanoseconds)
{
#if defined(__x86_64__)
  return nanoseconds * 5 / 2;
#elif defined(__aarch64__)
  uint64_t per_second;
  __asm__("mrs %0, cntfrq_el0" : "=r"(per_second));
  return nanoseconds * per_second / 1000000000;
#else
  return nanoseconds;
#endif
}

/* About how many nanoseconds so many cycles take.  */
static inline uint64_t cycles_to_ns(uint64_t cycles)
{
#if defined(__x86_64__)
  return cycles / 5 * 2;
#elif defined(__aarch64__)
  uint64_t per_second;
  __asm__("mrs %0, cntfrq_el0" : "=r"(per_second));
  return cycles * 1000 / (per_second / 1000000);
#else
  return cycles;
#endif
}

#endif
