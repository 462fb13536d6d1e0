/* With one processor, regions of several masters that would use all processors take turns.  Regions that
   are to have one thread do not, nor do those after a question, which may hold a library's lock.
   wrap: taskset -c 0 %s
   env: GHCOMP_STATS=1
   stderr: turns_waited +[1-9]
   link: -ldl */
#define _GNU_SOURCE
#include "counter.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned turns_waited(void)
{
  return (unsigned)counter("turns_waited");
}

static int other_has_run, wrong;
static sem_t other_is_there, region_runs; /* they sleep outside regions, because turns do not pay where masters compute there */

static void expect(const char *what, unsigned value, unsigned expected)
{
  if (value == expected)
    return;
  printf("%s: %u, expected %u\n", what, value, expected);
  wrong = 1;
}

static int load(const int *flag)
{
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void store(int *flag, int value)
{
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/* Much longer than what the program does between its regions.  */
static void compute(void)
{
  struct timespec began, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began);
  do
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((now.tv_sec - began.tv_sec) * 1000000000 + now.tv_nsec - began.tv_nsec < 5000000);
}

/* The other master's region begins while this one runs, which ends when that one waits or has run.  */
static void run_until_other(unsigned waited)
{
  compute();
  sem_post(&region_runs);
  while (turns_waited() == waited && !load(&other_has_run))
    sched_yield();
}

static void *other(void *size)
{
  int threads = *(const int *)size;
  omp_set_dynamic(0); /* the runtime counts this thread from now on */
  sem_post(&other_is_there);
  sem_wait(&region_runs);
  if (threads == 0)
#pragma omp parallel
    store(&other_has_run, 1);
  else
#pragma omp parallel num_threads(threads)
    store(&other_has_run, 1);
  return NULL;
}

/* Returns how often a region has waited.  */
static unsigned two_regions(int size, int asks)
{
  pthread_t thread;
  unsigned before = turns_waited();
  sem_init(&region_runs, 0, 0);
  sem_init(&other_is_there, 0, 0);
  store(&other_has_run, 0);
  if (pthread_create(&thread, NULL, other, &size) != 0)
    return ~0u;
  sem_wait(&other_is_there);
  if (asks)
    expect("threads", (unsigned)omp_get_max_threads(), 1);
  if (size == 0)
#pragma omp parallel
    run_until_other(before);
  else
#pragma omp parallel num_threads(size)
    run_until_other(before);
  pthread_join(thread, NULL);
  return turns_waited() - before;
}

/* In a process of its own, which has learned nothing of other regions.  */
static void expect_waits(const char *what, int size, int asks, unsigned expected)
{
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    for (int round = 0; round < 5; round++)
      expect(what, two_regions(size, asks), expected);
    exit(wrong);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    wrong = 1;
}

int main(void)
{
  expect_waits("regions that waited", 0, 0, 1);
  expect_waits("regions of two threads that waited", 2, 0, 1);
  expect_waits("regions of one thread, as requested, that waited", 1, 0, 0);
  expect_waits("regions beside one of an answer that waited", 0, 1, 0);
  return wrong;
}
