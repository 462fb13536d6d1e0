/* Pairs of native threads with regions and tasks, thousands of them, leave no memory behind.  */
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* After the first rounds each descriptor that is used again owns the memory that its tasks need.  On a busy machine one more may
   be used for the first time later.  What is lost, is lost in each window.  */
enum { WARM = 2000, ROUNDS = 2000, MOST_BYTES = 32 * ROUNDS, WINDOWS = 5 };
enum kind { REGION, TASKS_IN_A_REGION, TASKS, DEPENDENT_TASKS, KINDS };

static pthread_barrier_t both;

static void work(enum kind kind)
{
  int sum = 0, x = 0;
  switch (kind) {
  case REGION:
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    break;
  case TASKS_IN_A_REGION:
#pragma omp parallel num_threads(2)
#pragma omp task shared(sum)
#pragma omp atomic
    sum++;
    break;
  case TASKS:
    for (int i = 0; i < 2; i++)
#pragma omp task shared(sum)
      sum++;
#pragma omp taskwait
    break;
  default:
#pragma omp task shared(x) depend(out : x)
    x = 2;
#pragma omp task shared(x, sum) depend(in : x)
    sum = x;
#pragma omp taskwait
  }
  if (sum != 2)
    exit(2);
}

static void *master(void *kind)
{
  pthread_barrier_wait(&both); /* so both live at the same time */
  work((enum kind)(uintptr_t)kind);
  pthread_barrier_wait(&both);
  return NULL;
}

static void rounds(enum kind kind, int count)
{
  for (int i = 0; i < count; i++) {
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
      if (pthread_create(&threads[k], NULL, master, (void *)(uintptr_t)kind) != 0)
        exit(3);
    for (int k = 0; k < 2; k++)
      pthread_join(threads[k], NULL);
  }
}

static long growth(enum kind kind)
{
  size_t before = mallinfo2().uordblks;
  rounds(kind, ROUNDS);
  return (long)(mallinfo2().uordblks - before);
}

int main(void)
{
  pthread_barrier_init(&both, NULL, 2);
  for (int kind = 0; kind < KINDS; kind++) {
    rounds((enum kind)kind, WARM);
    long least = growth((enum kind)kind);
    for (int window = 1; window < WINDOWS && least > MOST_BYTES; window++) {
      long more = growth((enum kind)kind);
      least = more < least ? more : least;
    }
    if (least > MOST_BYTES) {
      fprintf(stderr, "kind %d: %ld bytes for each round\n", kind, least / ROUNDS);
      return 1;
    }
  }
  return 0;
}
