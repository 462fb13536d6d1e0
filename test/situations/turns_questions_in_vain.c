/* A library asks for the size of a team from eight places and never starts a region.  It does so while callers are in
   regions that wait for its answer, so a question that waited for such a region's end would wait for ever; and a question
   must not take a turn that no region uses.  Where questions waited for the regions of others, and a thread remembered only
   four places whose questions led to nothing, most of them waited 50 ms.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "../../bench/workloads/places_that_ask.h"
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <semaphore.h>

enum { ASKERS = 4, QUESTIONS = 2000 };

static sem_t begun[ASKERS]; /* a caller's region has begun */
static int answers[ASKERS];
static int wrong;

static void ask_in_vain(long me)
{
  for (int i = 0; i < QUESTIONS; i++) {
    sem_wait(&begun[me]);
    if (asks[i % PLACES]() != 2)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&answers[me], i + 1, __ATOMIC_RELEASE);
  }
}

/* Every other caller asks, too.  */
static void call(long me)
{
  for (int i = 0; i < QUESTIONS; i++) {
    if (me % 2 != 0 && omp_get_max_threads() != 2)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
#pragma omp parallel
#pragma omp master
    {
      sem_post(&begun[me]);
      while (__atomic_load_n(&answers[me], __ATOMIC_ACQUIRE) <= i)
        sched_yield();
    }
  }
}

/* Half of the threads only ask, and the other half start regions.  */
static void *ask_or_call(void *number)
{
  if ((long)number < ASKERS)
    ask_in_vain((long)number);
  else
    call((long)number - ASKERS);
  return number;
}

int main(void)
{
  for (int i = 0; i < ASKERS; i++)
    sem_init(&begun[i], 0, 0);
  run_masters(2 * ASKERS, ask_or_call);
  return wrong;
}
