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

/* Sums of hashes (each element takes a few operations on registers).  */
static long hash(long i)
{
  unsigned long h = (unsigned long)i * 0x9e3779b97f4a7c15;
  h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
  return (long)(h >> 40);
}

long kernels_hash_sum(long count)
{
  long sum = 0;
  for (long i = 0; i < count; i++)
    sum += hash(i);
  return sum;
}

long kernels_parallel_hash_sum(long count)
{
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < count; i++)
    sum += hash(i);
  return sum;
}

/* The first sum, with a function that the caller chooses for each element.  */
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

/* ------------------------------------------------------------ memory that two sides share */

static double f(double x)
{
  return sin(x) * cos(x) + sqrt(fabs(x));
}

void kernels_transform(const double *in, double *out, long count)
{
#pragma omp parallel for
  for (long i = 0; i < count; i++)
    out[i] = f(in[i]);
}

/* Two passes; the second one reads neighbouring elements.  With a barrier between them, or, wrongly,
   without one.  */
void kernels_stencil(const double *in, double *middle, double *out, long count, int wait)
{
#pragma omp parallel
  {
    long parts = omp_get_num_threads(), me = omp_get_thread_num();
    long first = count * me / parts, end = count * (me + 1) / parts;
    for (long i = first; i < end; i++)
      middle[i] = f(in[i]);
    if (wait) {
#pragma omp barrier
    }
    for (long i = first; i < end; i++) {
      long before = i > 0 ? i - 1 : i, after = i < count - 1 ? i + 1 : i;
      out[i] = (middle[before] + middle[i] + middle[after]) / 3;
    }
  }
}

void kernels_dgemm(const double *a, const double *b, double *c, long n)
{
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++)
      c[i * n + j] = 0;
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

/* Takes about 100 microseconds for a negative number, and almost nothing for others.  */
double kernels_slow_if_negative(double x)
{
  if (x >= 0)
    return x;
  double end = omp_get_wtime() + 1e-4;
  while (omp_get_wtime() < end)
    continue;
  return x;
}
