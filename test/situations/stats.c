/* Counters: their names, exact values of those that are certain, a reset, and the table at exit.
   env: GHCOMP_STATS=1 OMP_NUM_THREADS=3
   stderr: ^ghcomp: regions +5  parallel regions
   link: -ldl */
#define _GNU_SOURCE
#include "counter.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static unsigned long long value_of(const char *name)
{
  long value = counter(name);
  if (value < 0)
    printf("no counter is called %s\n", name);
  return (unsigned long long)value;
}

static int wrong;

static void expect(const char *name, unsigned long long least, unsigned long long most)
{
  unsigned long long value = value_of(name);
  if (value < least || value > most) {
    printf("%s is %llu, expected %llu to %llu\n", name, value, least, most);
    wrong = 1;
  }
}

enum { TASKS = 1000, ITERATIONS = 900, REGIONS = 7 };

static void work(void)
{
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
      __asm__ volatile("");
    }
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < ITERATIONS; i++)
      __asm__ volatile("");
  }
}

static unsigned long long now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

enum { HOLDS = 10, HOLD_NS = 500000 };

/* Holds two nested locks for half a millisecond each time: the inner one adds no time.  */
static void hold_locks(void)
{
  unsigned long long holds = value_of("lock_holds"), began = now_ns(), held = value_of("lock_hold_ns");
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  for (int i = 0; i < HOLDS; i++) {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
#pragma omp critical
    for (unsigned long long start = now_ns(); now_ns() - start < HOLD_NS;)
      ;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
  unsigned long long wall = now_ns() - began;
  expect("lock_holds", holds + 2 * HOLDS, holds + 2 * HOLDS);
  /* The clocks may differ by a thousandth or so.  */
  expect("lock_hold_ns", held + HOLDS * HOLD_NS / 100 * 98, held + wall / 100 * 102);
}

int main(void)
{
  void (*reset)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "ghcomp_stats_reset");
  const char *(*name_of)(unsigned) = (const char *(*)(unsigned))dlsym(RTLD_DEFAULT, "ghcomp_stats_name");
  for (int i = 0; i < REGIONS; i++)
    work();
  expect("regions", REGIONS, REGIONS);
  expect("threads_asked", 3 * REGIONS, 3 * REGIONS);
  expect("threads_given", 3 * REGIONS, 3 * REGIONS);
  expect("workers_started", 2, 2);
  expect("barriers", 3 * REGIONS, 3 * REGIONS); /* of single; the last loop has none */
  expect("chunks", ITERATIONS / 3 * REGIONS, ITERATIONS / 3 * REGIONS);
  unsigned long long tasks = value_of("tasks_at_once") + value_of("tasks_deferred");
  if (tasks != TASKS * REGIONS) {
    printf("%llu tasks, expected %d\n", tasks, TASKS * REGIONS);
    wrong = 1;
  }
  expect("tasks_stolen", 0, value_of("tasks_deferred"));
  expect("deepest_queue", 1, TASKS);
  hold_locks();
  if (name_of(1000) != NULL)
    wrong = 1;
  reset();
  for (int i = 0; i < 5; i++)
    work();
  expect("regions", 5, 5);
  expect("workers_started", 0, 0);
  return wrong;
}
