/* Bursts of forty native threads that each run a region of four at the same time.  A round is one
   thread.  */
#include "soak.h"

#include <pthread.h>

enum { MASTERS = 40 };

static pthread_barrier_t all_are_in;
static atomic_long threads;

static void *master(void *nothing)
{
#pragma omp parallel num_threads(4)
  {
    threads++;
#pragma omp master
    pthread_barrier_wait(&all_are_in);
  }
  return nothing;
}

int main(int count, char **arguments)
{
  long bursts = soak_rounds(count, arguments) / MASTERS + 1;
  pthread_barrier_init(&all_are_in, NULL, MASTERS);
  for (long i = 0; i < bursts; i++) {
    pthread_t burst[MASTERS];
    for (int k = 0; k < MASTERS; k++)
      if (pthread_create(&burst[k], NULL, master, NULL) != 0)
        return soak_end(0);
    for (int k = 0; k < MASTERS; k++)
      pthread_join(burst[k], NULL);
  }
  return soak_end(threads == bursts * MASTERS * 4);
}
