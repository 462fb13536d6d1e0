/* A thread that has been cancelled ends at a cancellation point of the program's, never inside of the runtime: not while it
   starts the runtime, makes and changes teams, writes, or asks for its turn.  The others go on.
   env: OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT=shown
   stderr: ^(shown\n)+$ */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

enum { MASTERS = 4, ROUNDS = 100 };
static _Atomic int left;

static int region(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  return sum;
}

/* As libraries do that divide their work by what they are told.  */
static int ask(void)
{
  int told = omp_get_max_threads(), sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum++;
  return sum == told;
}

static int tasks(void)
{
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 100; i++)
#pragma omp task shared(sum) depend(inout : sum) priority(i)
    sum++;
  return sum;
}

static void *victim(void *rounds)
{
  pthread_cancel(pthread_self());
  for (long i = 0; i < (long)rounds; i++)
    if (region(2 + (int)i % 4) != 2 + (int)i % 4 || !ask() || tasks() != 100)
      exit(1);
  left++;
  pthread_testcancel();
  exit(2);
}

static void cancel(int count, long rounds)
{
  pthread_t thread[MASTERS];
  void *result;
  int before = left;
  for (int i = 0; i < count; i++)
    pthread_create(&thread[i], NULL, victim, (void *)rounds);
  for (int i = 0; i < count; i++)
    if (pthread_join(thread[i], &result) != 0 || result != PTHREAD_CANCELED)
      exit(3);
  if (left != before + count)
    exit(4);
}

int main(void)
{
  cancel(1, 1); /* it starts the runtime */
  cancel(MASTERS, ROUNDS);
  return region(4) == 4 && ask() ? 0 : 5;
}
