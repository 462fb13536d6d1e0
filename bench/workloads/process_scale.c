/* Primes in 2…limit by trial division, in contiguous parts of the same work.  The work is estimated from a sample
   of the numbers: a prime takes as many divisions as half its root, most other numbers few.  */
#include "../drivers/harness.h"

static struct found {
  _Alignas(64) uint64_t count, checksum;
} *found;
static long limit, starts[MOST_WORKERS + 1];
static int parts;

enum { STRIDE = 31 }; /* every 31st number is in the sample */

static bool is_prime(long n)
{
  if (n % 2 == 0)
    return n == 2;
  for (long d = 3; d * d <= n; d += 2)
    if (n % d == 0)
      return false;
  return n >= 2;
}

static long divisions_for(long n)
{
  long d = 3;
  if (n % 2 == 0)
    return 1;
  while (d * d <= n && n % d != 0)
    d += 2;
  return d / 2;
}

/* Computes the first number of each part.  */
static void divide_work(void)
{
  double all = 0, sofar = 0;
  int part = 1;
  for (long n = 2; n <= limit; n += STRIDE)
    all += (double)divisions_for(n);
  starts[0] = 2;
  for (long n = 2; n <= limit; n += STRIDE) {
    sofar += (double)divisions_for(n);
    while (part < parts && sofar >= all * part / parts)
      starts[part++] = n;
  }
  while (part <= parts)
    starts[part++] = limit + 1;
}

static void setup(int workers)
{
  limit = harness_parameter("limit");
  parts = workers;
  found = driver_shared(sizeof *found * (size_t)workers);
  divide_work();
}

static void body(int worker, int workers)
{
  uint64_t count = 0, checksum = 0;
  (void)workers;
  for (long n = starts[worker]; n < starts[worker + 1]; n++)
    if (is_prime(n)) {
      count++;
      checksum += harness_mix((uint64_t)n);
    }
  found[worker].count = count;
  found[worker].checksum = checksum;
}

static void results(void)
{
  uint64_t count = 0, checksum = 0;
  for (int i = 0; i < parts; i++) {
    count += found[i].count;
    checksum += found[i].checksum;
  }
  harness_result("primes", count);
  harness_result("checksum", checksum);
}

static const char *const parameters[] = {"limit", NULL};
const struct workload workload = {parameters, setup, body, results};
