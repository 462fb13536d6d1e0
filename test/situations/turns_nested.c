/* Four masters with teams of two, whose members ask and start teams of two.  The first members of all inner teams wait for
   each other there, so all eight inner regions and the four outer ones must run at the same time.
   env: OMP_NUM_THREADS=2,2 OMP_MAX_ACTIVE_LEVELS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <sched.h>

enum { MASTERS = 4, OUTER = 2, INNER = 2, ROUNDS = 100 };

static long arrived, met; /* `met`: the rounds in which all have met */
static int wrong;

static void meet(long round)
{
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == (round + 1) * MASTERS * OUTER)
    __atomic_store_n(&met, round + 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&met, __ATOMIC_ACQUIRE) <= round)
    sched_yield();
}

static void expect(int found, int expected)
{
  if (found != expected)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void inner_region(long round)
{
  expect(omp_get_max_threads(), INNER);
#pragma omp parallel
  {
    expect(omp_get_num_threads(), INNER);
#pragma omp master
    meet(round);
  }
}

static void *start_regions(void *number)
{
  for (long round = 0; round < ROUNDS; round++) {
    expect(omp_get_max_threads(), OUTER);
#pragma omp parallel
    {
      expect(omp_get_num_threads(), OUTER);
      inner_region(round);
    }
  }
  return number;
}

int main(void)
{
  run_masters(MASTERS, start_regions);
  return wrong;
}
