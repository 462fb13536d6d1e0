/* Threads that call a BLAS at the same time, where each call is a region of OpenMP.

   usage: blas_callers WORKERS callers=N products=N     prints rows in milliseconds */
#include "openblas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 256, CELLS = SIZE * SIZE };

static dgemm *blas;
static long callers, products;
static double a[CELLS], b[CELLS], expected[CELLS];
static double *times; /* of each caller's products, one caller after the other */

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void fail(const char *what)
{
  fprintf(stderr, "blas_callers: %s\n", what);
  exit(1);
}

/* Small integers: every sum is exact, in any order.  */
static void prepare(void)
{
  for (int i = 0; i < CELLS; i++) {
    a[i] = (double)(i * 7 % 17) - 8;
    b[i] = (double)(i * 11 % 13) - 6;
  }
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++)
      for (int j = 0; j < SIZE; j++)
        expected[i * SIZE + j] += a[i * SIZE + k] * b[k * SIZE + j];
}

static void *call(void *argument)
{
  long number = (long)argument, first = products * number / callers, last = products * (number + 1) / callers;
  double *c = malloc(sizeof *c * CELLS);
  if (c == NULL)
    fail("no memory");
  for (long i = first; i < last; i++) {
    memset(c, 0xff, sizeof *c * CELLS); /* NaN */
    double before = now_ms();
    openblas_multiply(blas, SIZE, a, b, c);
    times[i] = now_ms() - before;
    if (memcmp(c, expected, sizeof expected) != 0)
      fail("wrong: the matrix is not the product");
  }
  free(c);
  return NULL;
}

static int compare(const void *x, const void *y)
{
  double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}

int main(int argc, char **argv)
{
  for (int i = 2; i < argc; i++) {
    sscanf(argv[i], "callers=%ld", &callers);
    sscanf(argv[i], "products=%ld", &products);
  }
  if (callers < 1 || products < callers) {
    fprintf(stderr, "usage: %s WORKERS callers=N products=N     at least one product for each caller\n", argv[0]);
    return 2;
  }
  blas = openblas_load(0);
  prepare();
  times = calloc((size_t)products, sizeof *times);
  pthread_t *threads = calloc((size_t)callers, sizeof *threads);
  if (times == NULL || threads == NULL)
    fail("no memory");
  static double c[CELLS];
  openblas_multiply(blas, SIZE, a, b, c); /* now the libraries have what they need */
  double start = now_ms();
  for (long k = 0; k < callers; k++)
    if (pthread_create(&threads[k], NULL, call, (void *)k) != 0)
      fail("a thread cannot be made");
  for (long k = 0; k < callers; k++)
    pthread_join(threads[k], NULL);
  double total = now_ms() - start;
  qsort(times, (size_t)products, sizeof *times, compare);
  printf("total: %.3f\nproduct p50: %.4f\nproduct p99: %.4f\n", total, times[products / 2], times[products * 99 / 100]);
  return 0;
}
