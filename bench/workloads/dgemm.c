/* C = A B of n x n doubles, as three loops; a static schedule divides the rows.  */
#include "../drivers/harness.h"

static double *a, *b, *c;
static long n;

static void setup(int workers)
{
  (void)workers;
  n = harness_parameter("n");
  a = driver_shared(sizeof *a * (size_t)(n * n));
  b = driver_shared(sizeof *b * (size_t)(n * n));
  c = driver_shared(sizeof *c * (size_t)(n * n));
  for (long i = 0; i < n * n; i++) {
    a[i] = (double)(harness_mix((uint64_t)i) % 17) - 8;
    b[i] = (double)(harness_mix((uint64_t)i + 1) % 13) - 6;
  }
}

static void body(int worker, int workers)
{
  for (long i = harness_bound(n, worker, workers); i < harness_bound(n, worker + 1, workers); i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* The elements are small integers: every sum is exact, in any order.  */
static void results(void)
{
  uint64_t sum = 0;
  for (long i = 0; i < n * n; i++)
    sum += harness_mix((uint64_t)(int64_t)c[i] + (uint64_t)i);
  harness_result("checksum", sum);
}

static const char *const parameters[] = {"n", NULL};
const struct workload workload = {parameters, setup, body, results};
