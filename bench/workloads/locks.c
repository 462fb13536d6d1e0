/* Threads hold a critical section for some time, and do other work in between: the cost of an entry
   for all threads together, without the work inside.

   usage: locks THREADS     prints "hold H, away A: nanoseconds an entry..." lines, for H and A nanoseconds */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 5, ENTRIES = 20000 };

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void turns(long count)
{
  for (long i = 0; i < count; i++)
    __asm__ volatile("");
}

/* Turns of the work loop in a nanosecond: the best of some measurements.  */
static double turns_per_ns(void)
{
  double best = 0;
  for (int i = 0; i < 20; i++) {
    double start = now_ns();
    turns(100000);
    double rate = 100000 / (now_ns() - start);
    best = rate > best ? rate : best;
  }
  return best;
}

/* Negative: entries were lost.  */
static double sample(int threads, long hold, long away)
{
  long seen = 0;
  double start = now_ns();
#pragma omp parallel num_threads(threads)
  for (long i = 0; i < ENTRIES; i++) {
#pragma omp critical
    {
      seen++;
      turns(hold);
    }
    turns(away);
  }
  double time = (now_ns() - start) / ((double)ENTRIES * threads);
  return seen == (long)ENTRIES * threads ? time : -1;
}

int main(int argc, char **argv)
{
  static const int times[] = {0, 30, 100, 300, 1000};
  int threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  double rate = turns_per_ns();
  sample(threads, 0, 0); /* afterwards the threads exist */
  for (int h = 0; h < 5; h++)
    for (int a = 0; a < 5; a += 2) {
      printf("hold %d, away %d:", times[h], times[a]);
      for (int s = 0; s < SAMPLES; s++) {
        double time = sample(threads, (long)(times[h] * rate), (long)(times[a] * rate));
        if (time < 0)
          printf(" wrong");
        else
          printf(" %.2f", time);
      }
      printf("\n");
      fflush(stdout);
    }
  return 0;
}
