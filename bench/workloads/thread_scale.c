/* Checksums of blocks of 64 bytes, each mixed for some rounds; the root is a sum over
   the results and the numbers of all blocks.  */
#include "../drivers/harness.h"

enum { WORDS = 8 };

static uint64_t (*blocks)[WORDS];
static struct part {
  _Alignas(64) uint64_t root, blocks;
} *part;
static long total_blocks, work_rounds;
static int parts;

static void setup(int workers)
{
  total_blocks = harness_parameter("total_blocks");
  work_rounds = harness_parameter("work_rounds");
  parts = workers;
  part = driver_shared(sizeof *part * (size_t)workers);
  blocks = driver_shared(sizeof *blocks * (size_t)total_blocks);
  for (long b = 0; b < total_blocks; b++)
    for (int w = 0; w < WORDS; w++)
      blocks[b][w] = (uint64_t)b * WORDS + (uint64_t)w;
}

static uint64_t checksum_of(const uint64_t *block)
{
  uint64_t sum = 0;
  for (long round = 0; round < work_rounds; round++)
    for (int w = 0; w < WORDS; w++)
      sum = harness_mix(sum + block[w]);
  return sum;
}

static void body(int worker, int workers)
{
  uint64_t root = 0;
  long first = harness_bound(total_blocks, worker, workers);
  long end = harness_bound(total_blocks, worker + 1, workers);
  for (long b = first; b < end; b++)
    root += harness_mix(checksum_of(blocks[b]) ^ (uint64_t)b);
  part[worker].root = root;
  part[worker].blocks = (uint64_t)(end - first);
}

static void results(void)
{
  uint64_t root = 0, count = 0;
  for (int i = 0; i < parts; i++) {
    root += part[i].root;
    count += part[i].blocks;
  }
  harness_result("blocks", count);
  harness_result("root", root);
}

static const char *const parameters[] = {"total_blocks", "work_rounds", NULL};
const struct workload workload = {parameters, setup, body, results};
