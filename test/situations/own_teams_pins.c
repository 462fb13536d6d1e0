/* The second thread of each team binds itself to a processor in its master's first region, as many programs do.  It is bound in
   all later regions of this master, with one master and with four.  Where workers went from one master to another, half of
   the regions found it free, and where the runtime put processors back into masks, some of the pins were gone with one
   master, too.
   env: OMP_NUM_THREADS=2 */
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { ROUNDS = 50, REGIONS = 10 };

static cpu_set_t all;
static int wrong;

static void compute(void)
{
  for (volatile int i = 0; i < 50000; i++)
    ;
}

/* Binds the calling thread to the processor on which it runs.  */
static cpu_set_t pin(void)
{
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0)
    exit(2);
  return one;
}

static void check(const cpu_set_t *pinned)
{
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0 || !CPU_EQUAL(&mask, pinned))
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void unpin(void)
{
  if (sched_setaffinity(0, sizeof all, &all) != 0)
    exit(2);
}

/* Pinned in the first region, and free again in the last one.  */
static void one_round(void)
{
  cpu_set_t pinned;
  for (int region = 0; region <= REGIONS; region++) {
#pragma omp parallel
    {
      compute();
      if (omp_get_thread_num() == 1) {
        if (region == 0)
          pinned = pin();
        else
          check(&pinned);
        if (region == REGIONS)
          unpin();
      }
    }
  }
}

static void *start_regions(void *number)
{
  for (int round = 0; round < ROUNDS; round++)
    one_round();
  return number;
}

int main(void)
{
  if (sched_getaffinity(0, sizeof all, &all) != 0)
    return 2;
  for (long masters = 1; masters <= 4; masters *= 4) {
    run_masters(masters, start_regions);
    printf("%ld masters, pins: %s\n", masters, wrong ? "wrong" : "right");
  }
  return wrong;
}
