/* A matrix product by OpenBLAS with OpenMP threads, beside three loops.  It shows how far the loops
   are from what the machine can do, and which OpenMP runtime the library uses.

   usage: blas THREADS     prints "OpenBLAS N: milliseconds..." and "three loops N: milliseconds..." lines */
#include "openblas.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 5 };

static dgemm *blas;

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void by_blas(int n, const double *a, const double *b, double *c)
{
  openblas_multiply(blas, n, a, b, c);
}

static int loop_threads;

static void by_loops(int n, const double *a, const double *b, double *c)
{
#pragma omp parallel for schedule(static) num_threads(loop_threads)
  for (int i = 0; i < n; i++) {
    memset(c + (size_t)i * n, 0, sizeof *c * (size_t)n);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[(size_t)i * n + j] += a[(size_t)i * n + k] * b[(size_t)k * n + j];
  }
}

/* The elements are small integers, so every sum is exact, in any order.  Freivalds' check with one
   vector of ones: c 1 = a (b 1).  */
static bool is_product(int n, const double *a, const double *b, const double *c)
{
  double *ones = calloc((size_t)n, sizeof *ones);
  bool right = true;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      ones[i] += b[(size_t)i * n + j];
  for (int i = 0; i < n && right; i++) {
    double expected = 0, found = 0;
    for (int j = 0; j < n; j++) {
      expected += a[(size_t)i * n + j] * ones[j];
      found += c[(size_t)i * n + j];
    }
    right = expected == found;
  }
  free(ones);
  return right;
}

static void row(const char *name, void (*multiply)(int, const double *, const double *, double *), int n,
                const double *a, const double *b, double *c)
{
  multiply(n, a, b, c);
  double times[SAMPLES];
  for (int s = 0; s < SAMPLES; s++) {
    memset(c, 0xff, sizeof *c * (size_t)n * (size_t)n); /* NaN */
    double start = now_ms();
    multiply(n, a, b, c);
    times[s] = now_ms() - start;
    if (!is_product(n, a, b, c)) {
      printf("%s %d: wrong, the matrix is not the product\n", name, n);
      return;
    }
  }
  printf("%s %d:", name, n);
  for (int s = 0; s < SAMPLES; s++)
    printf(" %.4f", times[s]);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv)
{
  static const int sizes[] = {128, 256, 512, 1024};
  loop_threads = argc == 2 ? atoi(argv[1]) : 0;
  if (loop_threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  blas = openblas_load(loop_threads);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k];
    size_t cells = (size_t)n * (size_t)n;
    double *a = malloc(sizeof *a * cells), *b = malloc(sizeof *b * cells), *c = malloc(sizeof *c * cells);
    for (size_t i = 0; i < cells; i++) {
      a[i] = (double)(i * 7 % 17) - 8;
      b[i] = (double)(i * 11 % 13) - 6;
    }
    row("OpenBLAS", by_blas, n, a, b, c);
    row("three loops", by_loops, n, a, b, c);
    free(a);
    free(b);
    free(c);
  }
  return 0;
}
