/* The C side of FromHaskell.hs: sums of sines (about 10 ns an element) and tasks of such.  */
#include <math.h>

double regions_sum(long count)
{
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += sin((double)i * 0.001);
  return sum;
}

double regions_parallel_sum(long threads, long count)
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
  for (long i = 0; i < count; i++)
    sum += sin((double)i * 0.001);
  return sum;
}

void regions_tasks(double *sums, long count, long threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i)
    sums[i] = regions_sum(1000 + i % 500);
}
