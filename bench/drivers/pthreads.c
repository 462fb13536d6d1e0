/* Workers are POSIX threads that the parent creates.  It waits with pthread_join
   (PARENT_WAIT=join), or reads a counter until all have finished (PARENT_WAIT=spin).  */
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t barrier;
static atomic_int finished;
static void (*the_body)(int, int);
static int worker_count;

static void *run(void *number)
{
  the_body((int)(intptr_t)number, worker_count);
  atomic_fetch_add(&finished, 1);
  return NULL;
}

void driver_run(int workers, void (*body)(int, int))
{
  const char *wait = getenv("PARENT_WAIT");
  pthread_t threads[MOST_WORKERS];
  the_body = body;
  worker_count = workers;
  pthread_barrier_init(&barrier, NULL, (unsigned)workers);
  for (int i = 0; i < workers; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i) != 0)
      harness_fail("cannot create thread %d of %d", i + 1, workers);
  if (wait != NULL && strcmp(wait, "spin") == 0)
    while (atomic_load(&finished) != workers)
      ;
  for (int i = 0; i < workers; i++)
    pthread_join(threads[i], NULL);
}

void driver_barrier(void)
{
  pthread_barrier_wait(&barrier);
}
