/* Nested 2 by 2 regions, and an empty region of two: microseconds, median of
   several samples.  usage: nested [SAMPLES]  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static volatile int sink;

static void flat(void)
{
#pragma omp parallel num_threads(2)
  sink = 1;
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    sink = 1;
  }
}

static void measure(const char *name, void (*region)(void), int samples, int each)
{
  double *t = malloc((size_t)samples * sizeof *t);
  for (int i = 0; i < 20; i++)
    region();
  for (int s = 0; s < samples; s++) {
    double start = omp_get_wtime();
    for (int i = 0; i < each; i++)
      region();
    t[s] = (omp_get_wtime() - start) / each * 1e6;
  }
  qsort(t, (size_t)samples, sizeof *t, compare);
  printf("%s median %.2f p10 %.2f p90 %.2f us\n", name, t[samples / 2], t[samples / 10],
         t[samples * 9 / 10]);
  free(t);
}

int main(int argc, char **argv)
{
  int samples = argc > 1 ? atoi(argv[1]) : 51;
  omp_set_max_active_levels(2);
  measure("flat", flat, samples, 200);
  measure("nested", nested, samples, 20);
  return 0;
}
