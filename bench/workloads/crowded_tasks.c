/* One thread creates all tasks, and the team has more threads than there are processors.  Whoever is woken for a task takes the
   processor of a thread that executes one.  The program checks that each task was executed.

   usage: crowded_tasks THREADS     prints "name: milliseconds..." lines */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 9, MOST = 8000 };
static double steps_per_us;
static unsigned char executed[MOST];

static unsigned compute(double us)
{
  unsigned word = 1;
  for (long left = (long)(us * steps_per_us); left > 0; left--)
    word = word * 1664525 + 1013904223;
  return word;
}

/* The fastest of some runs: nothing else had the processor.  */
static void calibrate(void)
{
  enum { US = 500 };
  double best = 1e9;
  steps_per_us = 1000;
  for (int i = 0; i < 40; i++) {
    double start = omp_get_wtime();
    executed[0] += compute(US) == 0;
    double took = omp_get_wtime() - start;
    best = took < best ? took : best;
  }
  steps_per_us *= US * 1e-6 / best;
}

static double milliseconds(int threads, int tasks, double us)
{
  for (int i = 0; i < tasks; i++)
    executed[i] = 0;
  double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < tasks; i++) {
#pragma omp task firstprivate(i)
    executed[i] += 1 + (compute(us) == 0);
  }
  double took = (omp_get_wtime() - start) * 1e3;
  for (int i = 0; i < tasks; i++)
    if (executed[i] == 0)
      return -1;
  return took;
}

static const struct {
  const char *name;
  int tasks;
  double us;
} rows[] = {{"8000 tasks of 1 us", 8000, 1}, {"2000 tasks of 10 us", 2000, 10}, {"200 tasks of 100 us", 200, 100}};

int main(int argc, char **argv)
{
  int threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  omp_set_dynamic(0);
  calibrate();
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    printf("%s:", rows[r].name);
    milliseconds(threads, rows[r].tasks, rows[r].us);
    for (int i = 0; i < SAMPLES; i++) {
      double time = milliseconds(threads, rows[r].tasks, rows[r].us);
      if (time < 0)
        printf(" wrong");
      else
        printf(" %.3f", time);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
