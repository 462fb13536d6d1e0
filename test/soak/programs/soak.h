/* What every program of the soak test does: it reads the number of rounds, records the depth of its
   threads' stacks, prints its peaks at the end, and reports a wrong result by its exit status.  */
#ifndef GHCOMP_SOAK_H
#define GHCOMP_SOAK_H

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long soak_deepest;
static _Thread_local char *soak_top;

static inline long soak_rounds(int count, char **arguments)
{
  return count > 1 ? atol(arguments[1]) : 1000000;
}

/* Called in each task's body, and by each thread once before its first task.  */
static inline void soak_note_stack(void)
{
  char *here = __builtin_frame_address(0);
  if (soak_top == NULL || here > soak_top)
    soak_top = here;
  long deep = soak_top - here, deepest = atomic_load_explicit(&soak_deepest, memory_order_relaxed);
  while (deep > deepest && !atomic_compare_exchange_weak(&soak_deepest, &deepest, deep))
    ;
}

static inline long soak_peak(void)
{
  char line[256];
  long peak = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL)
    if (sscanf(line, "VmHWM: %ld", &peak) == 1)
      break;
  if (status != NULL)
    fclose(status);
  return peak;
}

/* Prints the peaks, and returns the exit status.  */
static inline int soak_end(int right)
{
  printf("%ld %ld\n", soak_peak(), soak_deepest / 1024);
  return right ? 0 : 1;
}

#endif
