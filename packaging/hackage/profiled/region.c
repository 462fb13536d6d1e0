/* The C side of the profiled program: a region that adds up, one that calls back, and how this
   file was compiled.  */

long profiled_sum(long n)
{
  long sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += i;
  return sum;
}

void profiled_each(long n, void (*body)(long))
{
#pragma omp parallel for num_threads(2)
  for (long i = 0; i < n; i++)
    body(i);
}

/* GHC's C compiler is told by -DPROFILING.  */
int profiled_with(void)
{
#ifdef PROFILING
  return 1;
#else
  return 0;
#endif
}
