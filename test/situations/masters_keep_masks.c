/* Six masters start regions at once.  In its regions and after them each has the affinity mask that the program gave it.
   env: OMP_NUM_THREADS=2  */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

enum { MASTERS = 6, REGIONS = 400 };

static cpu_set_t all;
static int wrong;

static void check(const cpu_set_t *expected)
{
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0 || !CPU_EQUAL(&mask, expected))
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void *start_regions(void *number)
{
  cpu_set_t mask = all;
  if ((uintptr_t)number % 3 == 2) { /* every third one is bound */
    CPU_ZERO(&mask);
    for (int processor = 0; CPU_COUNT(&mask) == 0; processor++)
      if (CPU_ISSET(processor, &all))
        CPU_SET(processor, &mask);
    if (sched_setaffinity(0, sizeof mask, &mask) != 0)
      exit(2);
  }
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel
    {
#pragma omp master
      check(&mask);
      for (volatile int i = 0; i < 20000; i++)
        ;
    }
    check(&mask);
  }
  return NULL;
}

int main(void)
{
  pthread_t masters[MASTERS];
  if (sched_getaffinity(0, sizeof all, &all) != 0)
    return 2;
  for (uintptr_t i = 0; i < MASTERS; i++)
    if (pthread_create(&masters[i], NULL, start_regions, (void *)i) != 0)
      return 2;
  for (int i = 0; i < MASTERS; i++)
    pthread_join(masters[i], NULL);
  return wrong;
}
