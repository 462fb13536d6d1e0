/* Threads of an interpreter: each takes its lock, asks with the lock held, releases it for the region, and takes it again in
   the region, for a callback, and after it.  A question that waits for another thread's region waits with the lock that this
   region needs.  Where it did, the two waited for each other for 50 ms.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>

enum { THREADS = 8, CALLS = 3000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `callbacks` and `returns` */
static long callbacks, returns;
static int wrong;

static void count(long *what)
{
  pthread_mutex_lock(&lock);
  ++*what;
  pthread_mutex_unlock(&lock);
}

static void *interpret(void *number)
{
  for (int i = 0; i < CALLS; i++) {
    pthread_mutex_lock(&lock);
    int size = omp_get_max_threads(), threads = 0;
    pthread_mutex_unlock(&lock);
#pragma omp parallel reduction(+ : threads)
    {
      threads++;
      for (volatile int k = 0; k < 10000; k++)
        ;
#pragma omp master
      count(&callbacks);
    }
    count(&returns);
    if (threads != size)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  }
  return number;
}

int main(void)
{
  run_masters(THREADS, interpret);
  return wrong || callbacks != THREADS * CALLS || returns != THREADS * CALLS;
}
