/* Clocks, and sorted samples, for programs of rows.  */
#pragma once

#include <stdlib.h>
#include <time.h>

static inline double clock_us(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline double now_us(void)
{
  return clock_us(CLOCK_MONOTONIC);
}

/* The processor time of all threads of this process.  */
static inline double processor_us(void)
{
  return clock_us(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int clocks_compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline void sort_samples(double *samples, long count)
{
  qsort(samples, (size_t)count, sizeof *samples, clocks_compare);
}
