#include "products.h"

#include "blis.h"
#include "openblas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 256, CELLS = SIZE * SIZE };

static dgemm *blas;
static double a[CELLS], b[CELLS], expected[CELLS];

/* The elements are small integers: every sum is exact, in any order.  */
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

void *products_make(void)
{
  double *c = malloc(sizeof *c * CELLS);
  if (c == NULL) {
    fprintf(stderr, "products: no memory\n");
    exit(1);
  }
  return c;
}

void products_spoil(void *c)
{
  memset(c, 0xff, sizeof(double) * CELLS); /* NaN */
}

void products_multiply(void *c)
{
  openblas_multiply(blas, SIZE, a, b, c);
}

int products_is_right(const void *c)
{
  return memcmp(c, expected, sizeof expected) == 0;
}

void products_begin(long blis)
{
  blas = blis ? blis_load() : openblas_load(0);
  prepare();
  void *c = products_make();
  products_multiply(c); /* afterwards the libraries have what they need */
  free(c);
}
