/* The sum of sin(i) over a static loop: a parallel loop with a reduction whose body calls a function.  */
#include "../drivers/harness.h"

#include <math.h>

static struct part {
  _Alignas(64) int64_t sum;
} *part;
static long count;
static int parts;

static void setup(int workers)
{
  count = harness_parameter("count");
  parts = workers;
  part = driver_shared(sizeof *part * (size_t)workers);
}

/* The terms are integers, in units of 2^-40, so the sum is the same in any order.  */
static void body(int worker, int workers)
{
  int64_t sum = 0;
  for (long i = harness_bound(count, worker, workers); i < harness_bound(count, worker + 1, workers); i++)
    sum += llrint(sin((double)i) * 0x1p40);
  part[worker].sum = sum;
}

static void results(void)
{
  uint64_t sum = 0;
  for (int i = 0; i < parts; i++)
    sum += (uint64_t)part[i].sum;
  harness_result("sum", sum);
}

static const char *const parameters[] = {"count", NULL};
const struct workload workload = {parameters, setup, body, results};
