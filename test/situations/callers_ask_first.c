/* Threads call a library that asks for the team's size, takes its own lock, and starts a region whose
   members wait for each other.  Other callers spin for that lock.  The runtime lets the callers go on
   one after the other as soon as it has seen that they spin, so few of them do.  A region smaller than the size that its caller was told
   would never end.
   Then the callers also ask where no region follows.  */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { CALLERS = 8, CALLS = 20, ATTEMPTS = 8 };

static int taken;           /* the library's lock */
static int inside;          /* callers that know the size and have not finished */
static long inside_at_once; /* sum of `inside` over all calls; guarded by the library's lock */

static void lock_library(void)
{
  while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE) != 0)
    ;
}

static void unlock_library(void)
{
  __atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
}

/* Each part of the work waits until the others have begun.  */
static void compute(int parts)
{
  int begun = 0;
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < parts; i++) {
    __atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < parts)
      sched_yield();
    for (volatile int k = 0; k < 100000; k++)
      ;
  }
}

static void compute_alone(void)
{
  for (volatile int k = 0; k < 1500000; k++)
    ;
}

static void *call(void *asks_in_vain)
{
  for (int i = 0; i < CALLS; i++) {
    int parts = omp_get_max_threads();
    __atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED);
    lock_library();
    inside_at_once += __atomic_load_n(&inside, __ATOMIC_RELAXED);
    compute(parts);
    unlock_library();
    __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
    if (asks_in_vain != NULL && omp_get_max_threads() > 0)
      compute_alone();
  }
  return NULL;
}

/* The mean number of callers in the library while one of them holds its lock; 0: no threads.  */
static double attempt(void *asks_in_vain)
{
  pthread_t threads[CALLERS];
  inside_at_once = 0;
  for (int i = 0; i < CALLERS; i++)
    if (pthread_create(&threads[i], NULL, call, asks_in_vain) != 0)
      return 0;
  for (int i = 0; i < CALLERS; i++)
    pthread_join(threads[i], NULL);
  return (double)inside_at_once / (CALLERS * CALLS);
}

/* The first calls show whether there is a lock, and on a busy machine a caller may be late, so one good attempt is enough.
   Without turns each attempt has a mean of five or more.  */
static int wait_in_turn(void *asks_in_vain)
{
  double mean = CALLERS;
  for (int i = 0; i < ATTEMPTS && mean > 2.5; i++) {
    mean = attempt(asks_in_vain);
    printf("%.2f of %d callers were in the library at one time\n", mean, CALLERS);
  }
  return mean != 0 && mean <= 2.5;
}

int main(void)
{
  omp_set_num_threads(2);
  return !wait_in_turn(NULL) || !wait_in_turn(&taken);
}
