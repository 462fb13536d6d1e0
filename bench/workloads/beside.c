#include "beside.h"

#include <omp.h>
#include <stddef.h>
#include <sys/stat.h>

enum { ITERATIONS = 64 };

/* A recurrence that no compiler can shorten; not inlined, so that regions and serial code execute the same code.  */
__attribute__((noinline)) static uint64_t work(int64_t steps, int seed)
{
  uint64_t x = (uint64_t)seed;
  for (int64_t i = 0; i < steps; i++)
    x = x * 6364136223846793005u + 1442695040888963407u + (x >> 33);
  return x;
}

uint64_t beside_region(int64_t steps, void (*inside)(void *), void *argument)
{
  uint64_t all = 0;
#pragma omp parallel reduction(+ : all)
  {
#pragma omp for nowait
    for (int i = 0; i < ITERATIONS; i++)
      all += work(steps, i);
    if (inside != NULL && omp_get_thread_num() == 0)
      inside(argument);
  }
  return all;
}

uint64_t beside_alone(int64_t steps)
{
  uint64_t all = 0;
  for (int i = 0; i < ITERATIONS; i++)
    all += work(steps, i);
  return all;
}

/* The folder has a link for each thread, and two of its own.  */
long beside_os_threads(void)
{
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 ? (long)tasks.st_nlink - 2 : 0;
}
