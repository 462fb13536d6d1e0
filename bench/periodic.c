/* A program that starts one region of two threads every millisecond: how much
   processor time it takes, as a multiple of what its work takes.  The rest is what
   workers burn between regions, and going to sleep and waking up.  */
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { REGIONS = 500, PERIOD_NS = 1000000 };

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

static void run(double work)
{
  double before = clock_ns(CLOCK_PROCESS_CPUTIME_ID), next = clock_ns(CLOCK_MONOTONIC), used = 0;
  for (int i = 0; i < REGIONS; i++) {
    sleep_until(next += PERIOD_NS);
#pragma omp parallel num_threads(2) reduction(+ : used)
    {
      double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
      busy(work);
      used += clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
    }
  }
  double all = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
  printf("two threads busy for %.0f us every millisecond: %.2f times the time of the work\n",
         work / 1000, all / used);
}

int main(void)
{
  run(20000);
  run(100000);
  run(300000);
  return 0;
}
