/* Short-lived native threads, two at a time, each of which does some work.  */
#ifndef GHCOMP_SOAK_MASTERS_H
#define GHCOMP_SOAK_MASTERS_H

#include "soak.h"

#include <pthread.h>

static pthread_barrier_t masters_both;
static int (*masters_work)(void); /* returns whether its result was right */
static atomic_long masters_right;

static void *masters_one(void *nothing)
{
  pthread_barrier_wait(&masters_both); /* both threads are alive now */
  masters_right += masters_work();
  pthread_barrier_wait(&masters_both);
  return nothing;
}

static int masters_run(long rounds, int (*work)(void))
{
  masters_work = work;
  pthread_barrier_init(&masters_both, NULL, 2);
  for (long i = 0; i < rounds; i++) {
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
      if (pthread_create(&threads[k], NULL, masters_one, NULL) != 0)
        return soak_end(0);
    for (int k = 0; k < 2; k++)
      pthread_join(threads[k], NULL);
  }
  return soak_end(masters_right == 2 * rounds);
}

#endif
