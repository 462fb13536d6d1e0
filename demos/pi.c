/* An ordinary OpenMP program, built with gcc -fopenmp: pi by the midpoint rule,
   and a task tree.  It needs nothing of ghc-openmp; it asks, through dlsym, which
   runtime serves it.  Prints one line: runtime, substrate, result, seconds.  */
#define _GNU_SOURCE /* for RTLD_DEFAULT, with glibc 2.33 and older */
#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>

static long fib(int n)
{
  long a, b;
  if (n < 12)
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void)
{
  const long n = 40000000;
  const char *(*describe)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_describe");
  double start = omp_get_wtime(), sum = 0;
  long f = 0;
  int threads = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (long i = 0; i < n; i++) {
    double x = (i + 0.5) / n;
    sum += 4.0 / (1.0 + x * x);
  }
#pragma omp parallel
#pragma omp single
  {
    threads = omp_get_num_threads();
    f = fib(30);
  }
  double pi = sum / n, seconds = omp_get_wtime() - start;
  int right = fabs(pi - 3.14159265358979) < 1e-9 && f == 832040;
  printf("%-42s %2d threads  pi %.10f  fib(30) %ld  %.3f s  %s\n",
         describe != NULL ? describe() : "libgomp", threads, pi, f, seconds,
         right ? "right" : "WRONG");
  return !right;
}
