/* Time.  Spec: 5.2, 18.10.  */
#include "abi/border.h"

#include <time.h>

ENTRY_POINTS(omp_time);

EXPORT double omp_get_wtime(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

EXPORT double omp_get_wtick(void)
{
  struct timespec t;
  clock_getres(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
