/* A program that starts one region every millisecond: how much
   processor time it takes, as a multiple of what its work takes.  The rest is what
   workers burn between regions, and going to sleep and waking up.

   usage: regions_now_and_then THREADS     prints "row: multiple..." lines */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 3, REGIONS = 300, PERIOD_NS = 1000000 };

static double clock_ns(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void busy(double ns)
{
  double start = clock_ns(CLOCK_MONOTONIC);
  while (clock_ns(CLOCK_MONOTONIC) - start < ns)
    ;
}

static void sleep_until(double ns)
{
  struct timespec t = {.tv_sec = (time_t)(ns / 1e9)};
  t.tv_nsec = (long)(ns - (double)t.tv_sec * 1e9);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static double multiple(int threads, double work)
{
  double before = clock_ns(CLOCK_PROCESS_CPUTIME_ID), next = clock_ns(CLOCK_MONOTONIC), used = 0;
  for (int i = 0; i < REGIONS; i++) {
    sleep_until(next += PERIOD_NS);
#pragma omp parallel num_threads(threads) reduction(+ : used)
    {
      double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
      busy(work);
      used += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
    }
  }
  double all = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
  return all / used;
}

int main(int argc, char **argv)
{
  static const int works[] = {20, 100, 300};
  int threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  for (int i = 0; i < 3; i++) {
    printf("busy for %d us:", works[i]);
    for (int s = 0; s < SAMPLES; s++)
      printf(" %.3f", multiple(threads, works[i] * 1000.0));
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
