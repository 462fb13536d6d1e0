/* One master is in a region that ends only when three others have executed 2000 short regions, without questions and after
   them.  The long region computes; sleeps; waits for a pipe; or passes barriers.  Nobody may wait for its end.  Where regions
   did, one began each 6 ms or more rarely, and after questions one in 50 ms.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { SHORT = 3, REGIONS = 2000 };
enum form { COMPUTES, SLEEPS, READS, PASSES_BARRIERS, FORMS };

static enum form form;
static int asks, wrong, all_done, pipes[2];
static long done; /* short regions that have ended */
static sem_t over;

static int is_over(void)
{
  return __atomic_load_n(&all_done, __ATOMIC_ACQUIRE);
}

static void compute(void)
{
  for (volatile int i = 0; i < 10000; i++)
    ;
}

static void compute_until_over(void)
{
  while (!is_over())
    compute();
}

static void read_until_over(void)
{
  char byte;
  while (read(pipes[0], &byte, 1) == 1 && byte != 'e')
    ;
}

/* All threads of the team leave after the same barrier.  */
static void pass_barriers_until_over(int *is_last)
{
  for (;;) {
    compute();
#pragma omp master
    *is_last = is_over();
#pragma omp barrier
    int last = *is_last;
#pragma omp barrier
    if (last)
      return;
  }
}

static void long_region(void)
{
  int is_last = 0;
#pragma omp parallel
  if (form == COMPUTES)
    compute_until_over();
  else if (form == PASSES_BARRIERS)
    pass_barriers_until_over(&is_last);
  else if (omp_get_thread_num() == 0) {
    if (form == SLEEPS)
      sem_wait(&over);
    else
      read_until_over();
  }
}

/* Tells the long region that a short one has ended.  */
static void tell(void)
{
  int last = __atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL) == REGIONS;
  char byte = last ? 'e' : 'x';
  if (last)
    __atomic_store_n(&all_done, 1, __ATOMIC_RELEASE);
  if (last)
    sem_post(&over);
  if (form == READS && write(pipes[1], &byte, 1) != 1)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void ask(void)
{
  if (asks && omp_get_max_threads() != 2)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void short_regions(long first)
{
  for (long i = first; i < REGIONS; i += SHORT) {
    ask();
#pragma omp parallel
    compute();
    tell();
  }
}

static void *start_regions(void *number)
{
  if ((long)number < SHORT) {
    short_regions((long)number);
  } else {
    ask();
    long_region();
  }
  return number;
}

int main(void)
{
  if (pipe(pipes) != 0)
    return 2;
  for (asks = 0; asks <= 1; asks++)
    for (form = 0; form < FORMS; form++) {
      all_done = 0;
      done = 0;
      sem_init(&over, 0, 0);
      run_masters(SHORT + 1, start_regions);
      printf("form %d, asks %d: the long region is over\n", form, asks);
    }
  return wrong;
}
