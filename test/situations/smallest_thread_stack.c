/* A thread with the smallest stack that there is starts the first region of the process, and the first one with places.
   env: OMP_NUM_THREADS=2
   each: OMP_PROC_BIND=false OMP_PLACES=cores */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>

static void *region(void *nothing)
{
  intptr_t sum = 0;
  (void)nothing;
#pragma omp parallel reduction(+ : sum)
  sum++;
  return (void *)sum;
}

int main(void)
{
  pthread_attr_t smallest;
  pthread_t thread;
  void *sum;
  pthread_attr_init(&smallest);
  if (pthread_attr_setstacksize(&smallest, PTHREAD_STACK_MIN) != 0)
    return 2;
  if (pthread_create(&thread, &smallest, region, NULL) != 0 || pthread_join(thread, &sum) != 0)
    return 3;
  return (intptr_t)sum == 2 ? 0 : 4;
}
