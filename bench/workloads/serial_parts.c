/* A program that is serial for some time between its regions: how long a region with the same work takes
   after each such time.  Workers that have fallen asleep by then must be woken.

   usage: serial_parts THREADS     prints "after S us: microseconds..." lines */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REGIONS = 200, ELEMENTS = 5000 };

static double now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static long sum_of(long first, long end)
{
  long sum = 0;
  for (long i = first; i < end; i++)
    sum += lrint(sin((double)i) * 1e6);
  return sum;
}

static long region(int threads)
{
  long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    long me = omp_get_thread_num();
    sum += sum_of(ELEMENTS * me / threads, ELEMENTS * (me + 1) / threads);
  }
  return sum;
}

int main(int argc, char **argv)
{
  static const int serial[] = {0, 20, 50, 100, 150, 200, 500, 1000, 5000};
  int threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  long expected = sum_of(0, ELEMENTS);
  for (size_t k = 0; k < sizeof serial / sizeof *serial; k++) {
    double times[REGIONS];
    long wrong = 0;
    for (int r = 0; r < REGIONS; r++) {
      for (double start = now_us(); now_us() - start < serial[k];)
        ;
      double start = now_us();
      wrong += region(threads) != expected;
      times[r] = now_us() - start;
    }
    printf("after %d us:", serial[k]);
    if (wrong != 0) {
      printf(" wrong, %ld of %d sums\n", wrong, REGIONS);
      continue;
    }
    for (int r = REGIONS / 10; r < REGIONS; r++) /* in the first regions the runtime still learns */
      printf(" %.2f", times[r]);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
