/* Masters of the tests about several masters: native threads that start regions, each with a number.  */
#ifndef SITUATIONS_MASTERS_H
#define SITUATIONS_MASTERS_H

#include <pthread.h>
#include <stdlib.h>

enum { MOST_MASTERS = 128 };

/* Starts `count` threads with the numbers 0, 1, …, and returns when all have ended.  */
static void run_masters(long count, void *(*master)(void *number))
{
  pthread_t threads[MOST_MASTERS];
  for (long i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, master, (void *)i) != 0)
      exit(2);
  for (long i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

#endif
