/* Threads that call a BLAS at the same time, where each call is a region of OpenMP.

   usage: blas_callers WORKERS callers=N products=N blis=0|1     prints rows in milliseconds */
#include "blis.h"
#include "calls.h"
#include "keys.h"
#include "openblas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 256, CELLS = SIZE * SIZE };

static dgemm *blas;
static double a[CELLS], b[CELLS], expected[CELLS];

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

static void *make_matrix(void)
{
  double *c = malloc(sizeof *c * CELLS);
  if (c == NULL) {
    fprintf(stderr, "blas_callers: no memory\n");
    exit(1);
  }
  return c;
}

static void spoil(void *c)
{
  memset(c, 0xff, sizeof(double) * CELLS); /* NaN */
}

static void multiply(void *c)
{
  openblas_multiply(blas, SIZE, a, b, c);
}

static int is_product(const void *c)
{
  return memcmp(c, expected, sizeof expected) == 0;
}

int main(int argc, char **argv)
{
  static const struct calls products = {"product", make_matrix, spoil, multiply, is_product};
  long workers, callers = 0, count = 0, blis = 0;
  const struct key keys[] = {{"callers", &callers}, {"products", &count}, {"blis", &blis}};
  if (!keys_read(keys, 3, argc, argv, &workers))
    return 2;
  calls_check(&products, callers, count);
  blas = blis ? blis_load() : openblas_load(0);
  prepare();
  void *c = make_matrix();
  multiply(c); /* now the libraries have what they need */
  free(c);
  calls_measure(&products, callers, count);
  return 0;
}
