/* A program that starts one region every millisecond: its processor time, as a multiple of the
   time of its work.  The rest is what workers use between regions, and for sleeping and waking.

   Then a serial program that starts a tiny region every millisecond: the time of the region, and the
   processor time that each region adds to the serial part.

   usage: regions_now_and_then THREADS regions=N     prints lines "row: multiple...", and some in
                                                     microseconds */
#include "clocks.h"
#include "keys.h"
#include "rows.h"

#include <omp.h>
#include <stdbool.h>

enum { SAMPLES = 3, MOST_REGIONS = 1000, PERIOD_NS = 1000000, TINY = 1000 };

static long regions = 300;

static double clock_ns(clockid_t clock)
{
  return clock_us(clock) * 1e3;
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
  for (int i = 0; i < regions; i++) {
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

/* A region with a microsecond of work.  */
static long tiny_region(int threads)
{
  long sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (long i = 0; i < TINY; i++)
    sum += i ^ (i >> 3);
  return sum;
}

static long tiny_serial(void)
{
  long sum = 0;
  for (long i = 0; i < TINY; i++)
    sum += i ^ (i >> 3);
  return sum;
}

struct tiny {
  double wall[SAMPLES * MOST_REGIONS], processor[SAMPLES]; /* us, of a region */
  long wrong;
};

/* Computes or sleeps until the next region is due.  */
static void pass_time(bool computing, double until_ns)
{
  if (computing)
    busy(until_ns - clock_ns(CLOCK_MONOTONIC));
  else
    sleep_until(until_ns);
}

static void sample_tiny(struct tiny *tiny, int number, int threads, bool computing)
{
  long expected = tiny_serial();
  double serial = 0, before = processor_us(), next = clock_ns(CLOCK_MONOTONIC);
  for (int i = 0; i < regions; i++) {
    double own = clock_us(CLOCK_THREAD_CPUTIME_ID);
    pass_time(computing, next += PERIOD_NS);
    serial += clock_us(CLOCK_THREAD_CPUTIME_ID) - own;
    double start = now_us();
    tiny->wrong += tiny_region(threads) != expected;
    tiny->wall[number * regions + i] = now_us() - start;
  }
  tiny->processor[number] = (processor_us() - before - serial) / (double)regions;
}

static void measure_tiny(const char *when, int threads, bool computing)
{
  static struct tiny tiny;
  tiny.wrong = 0;
  for (int s = 0; s < SAMPLES; s++)
    sample_tiny(&tiny, s, threads, computing);
  row_print(when, "us", tiny.wall, SAMPLES * regions, row_wrong(tiny.wrong));
  row_print(when, "us of processor time", tiny.processor, SAMPLES, row_wrong(tiny.wrong));
}

int main(int argc, char **argv)
{
  static const int works[] = {20, 100, 300};
  const struct key keys[] = {{"regions", &regions}};
  long workers;
  if (!keys_read(keys, 1, argc, argv, &workers))
    return 2;
  if (regions < 1 || regions > MOST_REGIONS) {
    fprintf(stderr, "regions_now_and_then: regions=%ld: expected 1 to %d\n", regions, MOST_REGIONS);
    return 2;
  }
  int threads = (int)workers;
  for (int i = 0; i < 3; i++) {
    printf("busy for %d us:", works[i]);
    for (int s = 0; s < SAMPLES; s++)
      printf(" %.3f", multiple(threads, works[i] * 1000.0));
    printf("\n");
    fflush(stdout);
  }
  measure_tiny("a tiny region after 1 ms asleep", threads, false);
  measure_tiny("a tiny region after 1 ms of computing", threads, true);
  return 0;
}
