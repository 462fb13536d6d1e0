/* Map: a mixing function of each number; reduce: sum and exclusive or.  Each worker has one contiguous part.  */
#include "../drivers/harness.h"

static struct part {
  _Alignas(64) uint64_t sum, all;
} *part;
static long count;
static int parts;

static void setup(int workers)
{
  count = harness_parameter("count");
  parts = workers;
  part = driver_shared(sizeof *part * (size_t)workers);
}

static void body(int worker, int workers)
{
  uint64_t sum = 0, all = 0;
  for (long i = harness_bound(count, worker, workers); i < harness_bound(count, worker + 1, workers); i++) {
    uint64_t value = harness_mix((uint64_t)i);
    sum += value;
    all ^= value * 3;
  }
  part[worker].sum = sum;
  part[worker].all = all;
}

static void results(void)
{
  uint64_t sum = 0, all = 0;
  for (int i = 0; i < parts; i++) {
    sum += part[i].sum;
    all ^= part[i].all;
  }
  harness_result("sum", sum);
  harness_result("xor", all);
}

static const char *const parameters[] = {"count", NULL};
const struct workload workload = {parameters, setup, body, results};
