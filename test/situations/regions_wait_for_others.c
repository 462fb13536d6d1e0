/* Eight threads, each in a region of two that waits for a byte from the next thread's region.  Only the
   last region can end by itself.  All must begin at once although no processor is free.  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { CALLERS = 8, ROUNDS = 20 };

static int pipes[CALLERS + 1][2];
static int wrong;

/* Long enough that the regions meet.  */
static void compute(void)
{
  for (volatile int i = 0; i < 30000; i++)
    ;
}

static void *call(void *argument)
{
  long number = (long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    {
      threads++;
      compute();
#pragma omp barrier
#pragma omp master
      {
        char byte = 'x';
        if (number + 1 < CALLERS && read(pipes[number + 1][0], &byte, 1) != 1)
          __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
        if (write(pipes[number][1], &byte, 1) != 1)
          __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
      }
    }
    if (threads != 2)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[CALLERS];
  for (int i = 0; i <= CALLERS; i++)
    if (pipe(pipes[i]) != 0)
      return 2;
  for (long i = 0; i < CALLERS; i++)
    if (pthread_create(&threads[i], NULL, call, (void *)i) != 0)
      return 2;
  for (int i = 0; i < CALLERS; i++)
    pthread_join(threads[i], NULL);
  return wrong;
}
