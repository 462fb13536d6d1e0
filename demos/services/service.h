/* What the service and its client share: the definition of right answers.  */
#ifndef GHCOMP_SERVICE_H
#define GHCOMP_SERVICE_H

#include <stdint.h>

enum {
  SEEDS = 16,            /* requests are /pure/0 to /pure/15, /kernel/0 …, /product/0 … */
  PURE_STEPS = 1000,     /* insertions into a map of PURE_KEYS keys */
  PURE_KEYS = 256,
  KERNEL_STEPS = 150000, /* numbers that a loop adds up */
  PRODUCT_SIZE = 256,    /* rows and columns of a matrix product */
};

/* Mixes the bits of a number.  */
static inline uint64_t service_mix(uint64_t i)
{
  uint64_t h = i * 0x9e3779b97f4a7c15;
  h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
  return h ^ h >> 32;
}

static inline uint64_t service_summand(long seed, long i)
{
  return service_mix((uint64_t)seed * KERNEL_STEPS + (uint64_t)i) >> 40;
}

/* Small whole numbers: every sum of their products is exact, in any order.  */
static inline double service_left(long cell)
{
  return (double)(cell * 7 % 17) - 8;
}

static inline double service_right(long cell)
{
  return (double)(cell * 11 % 13) - 6;
}

/* One number that depends on each cell of the matrix.  */
static inline long service_checksum(const double *c)
{
  double sum = 0;
  for (long cell = 0; cell < (long)PRODUCT_SIZE * PRODUCT_SIZE; cell++)
    sum += c[cell] * (double)(cell % 5 + 1);
  return (long)sum;
}

#endif
