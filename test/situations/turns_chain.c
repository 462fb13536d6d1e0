/* Eight masters in a chain: each region waits inside for the end of the next master's region, and only the last one ends by
   itself.  They arrive in both orders, without a question and after one; where those that wait arrive first, the last
   region must begin beside all others.  Where it waited for them, no chain ended in a second after questions, and 11
   without.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <semaphore.h>

enum { MASTERS = 8, CHAINS = 500 };

static sem_t may_arrive[MASTERS];
static long ended[MASTERS]; /* the chain whose region of this master is over */
static int last_first, asks, wrong;

static long next_to_arrive(long me)
{
  return last_first ? me - 1 : me + 1;
}

static void wait_for(long master, long chain)
{
  while (__atomic_load_n(&ended[master], __ATOMIC_ACQUIRE) < chain)
    sched_yield();
}

static void *start_regions(void *number)
{
  long me = (long)number, next = next_to_arrive(me);
  for (long chain = 1; chain <= CHAINS; chain++) {
    sem_wait(&may_arrive[me]);
    if (next >= 0 && next < MASTERS)
      sem_post(&may_arrive[next]);
    if (asks && omp_get_max_threads() != 2)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
#pragma omp parallel
#pragma omp master
    if (me + 1 < MASTERS)
      wait_for(me + 1, chain);
    __atomic_store_n(&ended[me], chain, __ATOMIC_RELEASE);
    if (me == 0) /* the chain is over */
      sem_post(&may_arrive[last_first ? MASTERS - 1 : 0]);
  }
  return number;
}

int main(void)
{
  for (int way = 0; way < 4; way++) {
    last_first = way % 2;
    asks = way / 2;
    for (int i = 0; i < MASTERS; i++) {
      ended[i] = 0;
      sem_init(&may_arrive[i], 0, i == (last_first ? MASTERS - 1 : 0));
    }
    run_masters(MASTERS, start_regions);
  }
  return wrong;
}
