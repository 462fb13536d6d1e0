/* Threads that begin at the same virtual time.  */
#include "scale.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 513 }; /* one more than the engine has */
#define BEGIN 1e7 /* ns: all threads have been made by then */
#define END 1e8   /* and have done what is measured */

static inline void wait_until(double ns)
{
  if (ns > scale_now())
    scale_work(ns - scale_now());
}

/* Runs body(1) … body(count - 1) in threads of their own, on processors 1, 2, …, and body(0) in the caller.  */
static inline void run_together(int count, void *(*body)(void *))
{
  pthread_t thread[MOST_THREADS];
  for (long i = 1; i < count; i++)
    if (pthread_create(&thread[i], NULL, body, (void *)i) != 0)
      exit(1);
  body((void *)0);
  for (int i = 1; i < count; i++)
    pthread_join(thread[i], NULL);
}
