/* The C side of the Haskell demos: sums of sines (about 10 ns an element), with and without OpenMP. */
#include <math.h>
#include <omp.h>

double kernels_sum(long count)
{
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += sin((double)i * 0.001);
  return sum;
}

double kernels_parallel_sum(long count)
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < count; i++)
    sum += sin((double)i * 0.001);
  return sum;
}

/* The same where each element is the caller's business.  */
double kernels_parallel_sum_of(long count, double (*f)(long))
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < count; i++)
    sum += f(i);
  return sum;
}

/* Tasks of about 15 microseconds, each of which writes its own sum.  */
void kernels_task_sums(double *sums, long count)
{
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i)
    sums[i] = kernels_sum(1000 + i % 500);
}

double kernels_nothing(double x)
{
  return x;
}
