/* All masters ask first.  The regions of half of them sleep until another master's region has ended, and use no processor
   meanwhile.  Nobody may wait for a region that sleeps.  Where a question did, it waited 50 ms.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <semaphore.h>

enum { SLEEPERS = 4, REGIONS = 1000 };

static sem_t computed[SLEEPERS], slept[SLEEPERS];
static int wrong;

static void ask(void)
{
  if (omp_get_max_threads() != 2)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void sleep_in_regions(long me)
{
  for (int i = 0; i < REGIONS; i++) {
    ask();
#pragma omp parallel
#pragma omp master
    {
      sem_post(&slept[me]); /* the other one asks while this region sleeps */
      sem_wait(&computed[me]);
    }
  }
}

static void compute_in_regions(long me)
{
  for (int i = 0; i < REGIONS; i++) {
    sem_wait(&slept[me]);
    ask();
#pragma omp parallel
    for (volatile int k = 0; k < 10000; k++)
      ;
    sem_post(&computed[me]);
  }
}

static void *start_regions(void *number)
{
  if ((long)number < SLEEPERS)
    sleep_in_regions((long)number);
  else
    compute_in_regions((long)number - SLEEPERS);
  return number;
}

int main(void)
{
  for (int i = 0; i < SLEEPERS; i++) {
    sem_init(&computed[i], 0, 0);
    sem_init(&slept[i], 0, 0);
  }
  run_masters(2 * SLEEPERS, start_regions);
  return wrong;
}
