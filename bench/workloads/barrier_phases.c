/* A ring of cells: in each phase each cell becomes a mixture of itself and its neighbours in
   the phase before.  Little work, then a barrier.  */
#include "../drivers/harness.h"

static uint64_t *cells[2];
static long count, phases;

static void setup(int workers)
{
  (void)workers;
  count = harness_parameter("cells");
  phases = harness_parameter("phases");
  if (count < 1)
    harness_fail("cells=%ld: at least 1 is needed", count);
  for (int i = 0; i < 2; i++)
    cells[i] = driver_shared(sizeof *cells[i] * (size_t)count);
  for (long c = 0; c < count; c++)
    cells[0][c] = (uint64_t)c;
}

static void body(int worker, int workers)
{
  long first = harness_bound(count, worker, workers), end = harness_bound(count, worker + 1, workers);
  for (long phase = 0; phase < phases; phase++) {
    const uint64_t *from = cells[phase % 2];
    uint64_t *to = cells[(phase + 1) % 2];
    for (long c = first; c < end; c++)
      to[c] = harness_mix(from[c] + from[c == 0 ? count - 1 : c - 1] + 3 * from[c + 1 == count ? 0 : c + 1]);
    driver_barrier();
  }
}

static void results(void)
{
  uint64_t sum = 0;
  for (long c = 0; c < count; c++)
    sum += harness_mix(cells[phases % 2][c] ^ (uint64_t)c);
  harness_result("checksum", sum);
}

static const char *const parameters[] = {"cells", "phases", NULL};
const struct workload workload = {parameters, setup, body, results};
