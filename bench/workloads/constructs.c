/* The cost of each construct.  GCC compiles the program once, for all runtimes that replace
   libgomp.so.1, and Clang once, for libomp's own entry points.

   usage: constructs THREADS [ROW...]     prints "row: ns-per-operation..." lines
   Every sample takes at least SAMPLE_NS, or executes MOST operations; constructs_rows.c says what an operation is.
   Each row checks its results: a row that lost operations prints that, and no time.  */
#include "constructs_rows.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 5, SAMPLE_NS = 4000000, MOST = 1 << 28 };

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The compiler must compute this result; it has a cache line of its own.  */
static struct { _Alignas(128) volatile long value; } sink;

/* ----------------------------------------------------------------- measuring */

/* Negative: operations were lost, and a message says so.  */
static double sample(const struct row *row, long n)
{
  double start = now_ns();
  long seen = row->run(n);
  double time = now_ns() - start;
  sink.value = seen;
  if (seen != n) {
    printf("%s: wrong, %ld of %ld operations\n", row->name, seen, n);
    return -1;
  }
  return time;
}

/* The shorter of two times: an interrupted sample would suggest that few operations are enough.  */
static double sample_twice(const struct row *row, long n)
{
  double one = sample(row, n), two = sample(row, n);
  return one < two ? one : two;
}

static void measure(const struct row *row)
{
  long n = row->unit;
  double time = sample_twice(row, n);
  while (time >= 0 && time < SAMPLE_NS && n < MOST) {
    double factor = time > 0 ? SAMPLE_NS / time * 1.2 : 100;
    double more = (double)n * (factor > 100 ? 100 : factor);
    n = ((long)(more < MOST ? more : MOST) / row->unit + 1) * row->unit;
    time = sample_twice(row, n);
  }
  if (time < 0)
    return;
  printf("%s:", row->name);
  for (int i = 0; i < SAMPLES; i++)
    printf(" %.2f", sample(row, n) / (double)n);
  printf("\n");
  fflush(stdout);
}

static int chosen(const char *name, char **names, int count)
{
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return 1;
  return count == 0;
}

int main(int argc, char **argv)
{
  threads = argc > 1 ? atoi(argv[1]) : 0;
  if (threads < 1 || threads > 256) {
    fprintf(stderr, "usage: %s THREADS [ROW...], THREADS from 1 to 256\n", argv[0]);
    return 2;
  }
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  omp_set_max_active_levels(2);
  for (int i = 0; i < row_count; i++)
    if (chosen(rows[i].name, argv + 2, argc - 2) &&
        (rows[i].only == 0 || rows[i].only == threads))
      measure(&rows[i]);
  return 0;
}
