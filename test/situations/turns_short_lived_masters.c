/* Two thousand masters in pairs: a pair's masters ask, meet in their first regions, and end after one to three.  Others are
   there at the same time.  What is learned of waits in vain must not be lost with each thread that ends, and a master's end
   must not leave a turn behind.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <sched.h>

enum { SOURCES = 4, PAIRS = 250 }; /* of each source */

struct pair {
  int arrived, regions;
};

static long regions_done;
static int wrong;

static void meet(struct pair *pair)
{
  __atomic_add_fetch(&pair->arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&pair->arrived, __ATOMIC_ACQUIRE) < 2)
    sched_yield();
}

static void *live_shortly(void *argument)
{
  struct pair *pair = argument;
  for (int i = 0; i < pair->regions; i++) {
    if (omp_get_max_threads() != 2)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
#pragma omp parallel
#pragma omp master
    {
      if (i == 0)
        meet(pair);
      __atomic_add_fetch(&regions_done, 1, __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

static void *make_pairs(void *number)
{
  for (int i = 0; i < PAIRS; i++) {
    struct pair pair = {.regions = 1 + i % 3};
    pthread_t masters[2];
    for (int k = 0; k < 2; k++)
      if (pthread_create(&masters[k], NULL, live_shortly, &pair) != 0)
        exit(2);
    for (int k = 0; k < 2; k++)
      pthread_join(masters[k], NULL);
  }
  return number;
}

int main(void)
{
  long expected = 0;
  for (int i = 0; i < PAIRS; i++)
    expected += SOURCES * 2 * (1 + i % 3);
  run_masters(SOURCES, make_pairs);
  return wrong || regions_done != expected;
}
