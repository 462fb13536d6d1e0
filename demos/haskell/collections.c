#include "collections.h"

#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

enum { ASKS = 8 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A recurrence that no compiler can shorten.  Only its last bits count, so that sums are exact in any order.  */
__attribute__((noinline)) double collections_iteration(long i, long steps)
{
  uint64_t x = (uint64_t)i;
  for (long s = 0; s < steps; s++)
    x = x * 6364136223846793005u + 1442695040888963407u + (x >> 33);
  return (double)(x >> 40);
}

double collections_alone(long iterations, long steps)
{
  double sum = 0;
  for (long i = 0; i < iterations; i++)
    sum += collections_iteration(i, steps);
  return sum;
}

static double region(long iterations, long steps, collections_value value)
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < iterations; i++)
    sum += collections_iteration(value != NULL && i % ASKS == 0 ? (long)value(i) : i, steps);
  return sum;
}

double collections_regions(long count, long iterations, long steps, collections_value value, double *times)
{
  double first = 0, sum = 0;
  for (long n = 0; n < count; n++) {
    double before = now();
    sum = region(iterations, steps, value);
    times[n] = now() - before;
    first = n == 0 ? sum : first;
    if (sum != first)
      return -1;
  }
  return sum;
}

void collections_compute(double nanoseconds)
{
  for (double end = now() + nanoseconds; now() < end;)
    collections_iteration(1, 100);
}

long collections_end_threads(void)
{
  return omp_pause_resource_all(omp_pause_hard);
}

/* The folder has a link for each thread, and two of its own.  */
long collections_os_threads(void)
{
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 ? (long)tasks.st_nlink - 2 : 0;
}
