/* Workers are the threads of a parallel region; the parent is the first one.  */
#include "harness.h"

#include <omp.h>

void driver_run(int workers, void (*body)(int, int))
{
  int got = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(workers)
  {
#pragma omp master
    got = omp_get_num_threads();
    body(omp_get_thread_num(), workers);
  }
  if (got != workers)
    harness_fail("the region has %d threads, %d were asked for", got, workers);
}

void driver_barrier(void)
{
#pragma omp barrier
}

void driver_items(long count, void (*item)(long))
{
#pragma omp for schedule(dynamic, 1)
  for (long i = 0; i < count; i++)
    item(i);
}
