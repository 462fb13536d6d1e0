/* Nobody changes an affinity mask.  So in each region each thread's mask, and omp_get_num_procs(), have all of the process's
   processors, with one master and with four, and so has a thread that it creates.  Where the runtime narrowed the masks of
   waiting workers, some regions of a thousand began before the mask was whole again.
   env: OMP_NUM_THREADS=2 */
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { REGIONS = 2000 };

static cpu_set_t all;
static long regions;
static int wrong;

static void *look(void *nothing)
{
  cpu_set_t mask;
  int whole = sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_EQUAL(&mask, &all) && omp_get_num_procs() == CPU_COUNT(&all);
  if (!whole)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  return nothing;
}

/* Long enough for the other threads of the team to come.  */
static void compute(void)
{
  for (volatile int i = 0; i < 50000; i++)
    ;
}

static void look_as_new_thread(void)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, look, NULL) != 0)
    exit(2);
  pthread_join(thread, NULL);
}

static void *start_regions(void *number)
{
  for (long region = 0; region < regions; region++) {
#pragma omp parallel
    {
      look(NULL);
      compute();
      look(NULL);
      if (region % 16 == 0)
        look_as_new_thread();
    }
    look(NULL);
  }
  return number;
}

int main(void)
{
  if (sched_getaffinity(0, sizeof all, &all) != 0)
    return 2;
  for (long masters = 1; masters <= 4; masters *= 4) {
    regions = REGIONS / masters;
    run_masters(masters, start_regions);
    printf("%ld masters, masks: %s\n", masters, wrong ? "wrong" : "right");
  }
  return wrong;
}
