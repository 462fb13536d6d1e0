/* The machine's own limit: a cache line goes from one processor to another and back.
   Prints nanoseconds for a round trip, medians of samples.  */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20000, SAMPLES = 21 };

static struct { _Alignas(128) _Atomic long value; } ball;

static void pin(int processor)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void *other(void *argument)
{
  pin(*(int *)argument);
  for (long i = 0; i < (long)ROUNDS * SAMPLES; i++) {
    while (atomic_load_explicit(&ball.value, memory_order_acquire) != 2 * i + 1)
      ;
    atomic_store_explicit(&ball.value, 2 * i + 2, memory_order_release);
  }
  return NULL;
}

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(void)
{
  cpu_set_t set;
  int processors[2], found = 0;
  sched_getaffinity(0, sizeof set, &set);
  for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
    if (CPU_ISSET(i, &set))
      processors[found++] = i;
  if (found < 2) {
    printf("floor: one processor, so nothing to measure\n");
    return 0;
  }
  pthread_t thread;
  pin(processors[0]);
  if (pthread_create(&thread, NULL, other, &processors[1]) != 0)
    return 1;
  printf("round trip:");
  long turn = 0;
  for (int s = 0; s < SAMPLES; s++) {
    double start = now_ns();
    for (long i = 0; i < ROUNDS; i++, turn++) {
      atomic_store_explicit(&ball.value, 2 * turn + 1, memory_order_release);
      while (atomic_load_explicit(&ball.value, memory_order_acquire) != 2 * turn + 2)
        ;
    }
    printf(" %.2f", (now_ns() - start) / ROUNDS);
  }
  printf("\n");
  pthread_join(thread, NULL);
  return 0;
}
