/* A thread that has learned not to steal the others' tiny tasks sleeps through a long taskwait: it must
   not wake up again and again to look for tasks.
   env: OMP_NUM_THREADS=2
   stdout: sleeps */
#define _GNU_SOURCE
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { ROUNDS = 20, TINY = 20000, MOST = 50 };

static volatile int sink;

static long switches(void)
{
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

static void learn(void)
{
  for (int round = 0; round < ROUNDS; round++) {
    if (omp_get_thread_num() == round % 2)
      for (int i = 0; i < TINY; i++) {
#pragma omp task
        sink++;
      }
#pragma omp barrier
  }
}

static long switches_in_taskwait(void)
{
  atomic_int begun = 0;
#pragma omp task shared(begun)
  {
    struct timespec third = {.tv_nsec = 300000000};
    atomic_store(&begun, 1);
    nanosleep(&third, NULL);
  }
  while (!atomic_load(&begun)) /* by the other thread */
    ;
  long before = switches();
#pragma omp taskwait
  return switches() - before;
}

int main(void)
{
  long count = 0;
#pragma omp parallel num_threads(2)
  {
    learn();
#pragma omp master
    count = switches_in_taskwait();
  }
  if (count > MOST) {
    printf("woke up %ld times in a taskwait of 0.3 s, expected %d at most\n", count, MOST);
    return 1;
  }
  puts("sleeps");
  return 0;
}
