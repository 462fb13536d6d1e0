/* A program that closes standard error at exit, as GNU's programs do, still prints its table of counters.
   env: GHCOMP_STATS=1 OMP_NUM_THREADS=2
   stderr: ^ghcomp: regions +1  parallel regions */
#include <stdio.h>
#include <stdlib.h>

static void close_streams(void)
{
  if (fclose(stdout) != 0 || fclose(stderr) != 0)
    _Exit(2);
}

int main(void)
{
  atexit(close_streams);
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  return threads != 2;
}
