/* Items whose work differs by a factor of a thousand, handed out one by one.  The number of
   an item determines its work, so it is the same on every system.  */
#include "../drivers/harness.h"

static uint64_t *result;
static long items, unit;

static void setup(int workers)
{
  (void)workers;
  items = harness_parameter("items");
  unit = harness_parameter("unit");
  result = driver_shared(sizeof *result * (size_t)items);
}

/* Half of the items take one unit, a quarter two, an eighth four, and so on.  */
static long units_of(long number)
{
  uint64_t bits = harness_mix((uint64_t)number) | 1u << 10;
  return 1l << __builtin_ctzll(bits);
}

static void item(long number)
{
  uint64_t x = (uint64_t)number;
  for (long i = 0; i < unit * units_of(number); i++)
    x = harness_mix(x + 1);
  result[number] = x;
}

static void body(int worker, int workers)
{
  (void)worker, (void)workers;
  driver_items(items, item);
}

static void results(void)
{
  uint64_t sum = 0;
  for (long i = 0; i < items; i++)
    sum += harness_mix(result[i] + (uint64_t)i);
  harness_result("checksum", sum);
}

static const char *const parameters[] = {"items", "unit", NULL};
const struct workload workload = {parameters, setup, body, results};
