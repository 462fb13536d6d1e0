/* A library that Clang compiles for programs/pools.py.  */
#include <omp.h>

/* The number of threads of a region without num_threads.  */
int plugin_threads(void)
{
  int count = 0;
#pragma omp parallel
#pragma omp single
  count = omp_get_num_threads();
  return count;
}

double plugin_sum(const double *values, long n)
{
  double sum = 0;
#pragma omp parallel
  {
    double part = 0;
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i++)
      part += values[i];
    /* In the order of threads, so that each run gives the same bits.  */
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < omp_get_num_threads(); i++)
#pragma omp ordered
      sum += part;
  }
  return sum;
}
