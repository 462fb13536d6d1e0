/* Twenty masters, and then a hundred, wait for each other inside their regions, without a question and after one.  A round
   ends when all of them are in their regions at the same time, so each region must begin beside all others: one that waited
   for another one's end would wait for ever.  A question may wait, for a while, and learns that it waited in vain.
   Where each question waited up to 2 s for the regions before it, a round of twenty masters took 30 s.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>

static long masters, rounds, arrived, met; /* `met`: the rounds in which all have met */
static int asks, wrong;

static void meet(long round)
{
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == (round + 1) * masters)
    __atomic_store_n(&met, round + 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&met, __ATOMIC_ACQUIRE) <= round)
    sched_yield();
}

static void *start_regions(void *number)
{
  for (long round = 0; round < rounds; round++) {
    int size = asks ? omp_get_max_threads() : 2, threads = 0;
#pragma omp parallel reduction(+ : threads)
    {
      threads++;
#pragma omp master
      meet(round);
    }
    if (threads != size)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  }
  return number;
}

static void run(long how_many, long how_often)
{
  masters = how_many;
  rounds = how_often;
  for (asks = 0; asks <= 1; asks++) {
    arrived = met = 0;
    run_masters(masters, start_regions);
    printf("%ld masters have met %ld times\n", masters, met);
  }
}

int main(void)
{
  run(20, 100);
  run(100, 10);
  return wrong;
}
