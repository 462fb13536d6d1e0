/* What a machine's own operations cost, as lines of JSON: what any runtime must pay.  Each time is the least of some, because others
   disturb.

   usage: facts trips A:B...   round trips of one line between these processors, each pair's
          facts crowds N...    N threads: additions to one counter, one writer's word until all have answered, wake-ups
          facts calls          pauses, yields, clocks, threads  */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { MOST_THREADS = 1024, TRIES = 20, TRIPS = 200, ROUNDS = 50 };
static int processors[CPU_SETSIZE], count_of_processors;
static _Alignas(128) atomic_uint word;
static _Alignas(128) atomic_uint ready;
static _Alignas(128) atomic_uint stop;
static struct { _Alignas(128) atomic_uint word; } answer[MOST_THREADS];

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double least(double a, double b) { return a == 0 || b < a ? b : a; }

static void find_processors(void)
{
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &mine))
      processors[count_of_processors++] = i;
}

static void run_on(int processor)
{
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) {
    fprintf(stderr, "facts: a thread cannot be bound to processor %d\n", processor);
    exit(1);
  }
}

static pthread_t start(void *(*body)(void *), long argument)
{
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 * 1024);
  if (pthread_create(&thread, &small, body, (void *)argument) != 0) {
    fprintf(stderr, "facts: the system refuses a thread\n");
    exit(1);
  }
  return thread;
}

static void look_for(atomic_uint *where, unsigned value)
{
  while (atomic_load_explicit(where, memory_order_acquire) != value)
    _mm_pause();
}

/* ---- a line between two processors */

static void *answer_trips(void *processor)
{
  run_on((int)(intptr_t)processor);
  for (unsigned i = 0; i < TRIES * TRIPS; i++) {
    look_for(&word, 2 * i + 1);
    atomic_store_explicit(&word, 2 * i + 2, memory_order_release);
  }
  return NULL;
}

static double trip(int a, int b)
{
  double best = 0;
  atomic_store(&word, 0);
  pthread_t other = start(answer_trips, b);
  run_on(a);
  for (unsigned t = 0, i = 0; t < TRIES; t++) {
    double began = now();
    for (int k = 0; k < TRIPS; k++, i++) {
      atomic_store_explicit(&word, 2 * i + 1, memory_order_release);
      look_for(&word, 2 * i + 2);
    }
    best = least(best, (now() - began) / TRIPS);
  }
  pthread_join(other, NULL);
  return best;
}

static int trips(char **pairs)
{
  for (; *pairs != NULL; pairs++) {
    int a, b;
    if (sscanf(*pairs, "%d:%d", &a, &b) != 2 || a < 0 || b < 0 || a >= CPU_SETSIZE || b >= CPU_SETSIZE)
      return fprintf(stderr, "facts: '%s': expected two processors, as 0:1\n", *pairs), 2;
    printf("{\"a\": %d, \"b\": %d, \"trip_ns\": %.1f}\n", a, b, trip(a, b));
  }
  return 0;
}

/* ---- many threads: one for each processor, as far as there are any */

static pthread_t crowd[MOST_THREADS];

static void start_crowd(int n, void *(*body)(void *))
{
  atomic_store(&word, 0);
  atomic_store(&ready, 0);
  atomic_store(&stop, 0);
  for (int i = 1; i < n; i++)
    crowd[i] = start(body, i);
}

static void join_crowd(int n)
{
  for (int i = 1; i < n; i++)
    pthread_join(crowd[i], NULL);
}

static void take_place(long i) { run_on(processors[i % count_of_processors]); }

static void add_until_stop(void)
{
  while (!atomic_load_explicit(&stop, memory_order_relaxed))
    atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
}

static void *add(void *i)
{
  take_place((long)i);
  atomic_fetch_add(&ready, 1);
  add_until_stop();
  return NULL;
}

static double additions(int n)
{
  start_crowd(n, add);
  take_place(0);
  look_for(&ready, (unsigned)n - 1);
  unsigned before = atomic_load(&word);
  double began = now(), passed;
  do {
    for (int k = 0; k < 100; k++)
      atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
    passed = now() - began;
  } while (passed < 2e7);
  unsigned after = atomic_load(&word);
  atomic_store(&stop, 1);
  join_crowd(n);
  return passed / (after - before);
}

static void *read_word(void *argument)
{
  long i = (long)argument;
  take_place(i);
  atomic_store(&answer[i].word, 0);
  atomic_fetch_add(&ready, 1);
  for (unsigned r = 1; r <= TRIES; r++) {
    look_for(&word, r);
    atomic_store_explicit(&answer[i].word, r, memory_order_release);
  }
  return NULL;
}

/* One writes, all others read and answer on lines of their own.  */
static double readers(int n)
{
  double best = 0;
  start_crowd(n, read_word);
  take_place(0);
  look_for(&ready, (unsigned)n - 1);
  for (unsigned r = 1; r <= TRIES; r++) {
    double began = now();
    atomic_store_explicit(&word, r, memory_order_release);
    for (int i = 1; i < n; i++)
      look_for(&answer[i].word, r);
    best = least(best, now() - began);
  }
  join_crowd(n);
  return best;
}

static long futex(atomic_uint *where, int operation, unsigned value) { return syscall(SYS_futex, where, operation, value, NULL, NULL, 0); }

/* All sleep at one word, or each at its own.  */
static int each_its_own;
static void *sleep_and_answer(void *argument)
{
  long i = (long)argument;
  take_place(i);
  for (unsigned r = 0; r < TRIES; r++) {
    atomic_uint *bed = each_its_own ? &answer[i].word : &word;
    atomic_fetch_add(&ready, 1);
    while (atomic_load(bed) == r)
      futex(bed, FUTEX_WAIT_PRIVATE, r);
    atomic_fetch_add(&stop, 1);
  }
  return NULL;
}

static void wake(int n, unsigned r)
{
  if (!each_its_own) {
    atomic_store(&word, r + 1);
    futex(&word, FUTEX_WAKE_PRIVATE, INT32_MAX);
    return;
  }
  for (int i = 1; i < n; i++) {
    atomic_store(&answer[i].word, r + 1);
    futex(&answer[i].word, FUTEX_WAKE_PRIVATE, 1);
  }
}

/* Until the last one runs.  */
static double wake_ups(int n, int own)
{
  double best = 0;
  each_its_own = own;
  for (int i = 1; i < n; i++)
    atomic_store(&answer[i].word, 0);
  start_crowd(n, sleep_and_answer);
  take_place(0);
  for (unsigned r = 0; r < TRIES; r++) {
    look_for(&ready, (r + 1) * (unsigned)(n - 1));
    nanosleep(&(struct timespec){0, 2000000}, NULL); /* they have announced their sleep, and fall asleep meanwhile */
    double began = now();
    wake(n, r);
    look_for(&stop, (r + 1) * (unsigned)(n - 1));
    best = least(best, now() - began);
  }
  join_crowd(n);
  return best;
}

static int crowds(char **sizes)
{
  for (; *sizes != NULL; sizes++) {
    int n = atoi(*sizes);
    if (n < 2 || n > MOST_THREADS)
      return fprintf(stderr, "facts: '%s': expected 2 to %d threads\n", *sizes, MOST_THREADS), 2;
    double added = additions(n), read = readers(n), by_one = wake_ups(n, 0), by_many = wake_ups(n, 1);
    printf("{\"threads\": %d, \"addition_ns\": %.1f, \"readers_ns\": %.0f, \"wake_by_one_call_ns\": %.0f, \"wake_by_a_call_each_ns\": %.0f}\n", n, added,
           read, by_one, by_many);
  }
  return 0;
}

/* ---- calls */

static void yields(void) { sched_yield(); }
static void pauses(void) { _mm_pause(); }
static void clocks(void) { now(); }
static void wakes_nobody(void) { futex(&word, FUTEX_WAKE_PRIVATE, 1); }
static void process_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
}
static void *nothing(void *unused) { return unused; }
static void thread_and_join(void) { pthread_join(start(nothing, 0), NULL); }

static double each(void (*operation)(void), int times)
{
  double best = 0;
  for (int t = 0; t < TRIES; t++) {
    double began = now();
    for (int i = 0; i < times; i++)
      operation();
    best = least(best, (now() - began) / times);
  }
  return best;
}

static void *sleep_until_stop(void *unused)
{
  atomic_fetch_add(&ready, 1);
  while (!atomic_load(&stop))
    futex(&stop, FUTEX_WAIT_PRIVATE, 0);
  return unused;
}

static double process_clock_with(int n)
{
  start_crowd(n, sleep_until_stop);
  while (atomic_load(&ready) != (unsigned)n - 1)
    sched_yield();
  double took = each(process_clock, ROUNDS);
  atomic_store(&stop, 1);
  futex(&stop, FUTEX_WAKE_PRIVATE, INT32_MAX);
  join_crowd(n);
  return took;
}

static int calls(void)
{
  printf("{\"pause_ns\": %.1f, \"yield_ns\": %.0f, \"clock_ns\": %.1f, \"futex_ns\": %.0f, \"thread_ns\": %.0f", each(pauses, ROUNDS), each(yields, ROUNDS),
         each(clocks, ROUNDS), each(wakes_nobody, ROUNDS), each(thread_and_join, 5));
  for (int n = 16; n <= MOST_THREADS; n *= 8)
    printf(", \"process_clock_of_%d_ns\": %.0f", n, process_clock_with(n));
  printf("}\n");
  return 0;
}

int main(int count, char **arguments)
{
  find_processors();
  if (count >= 2 && strcmp(arguments[1], "trips") == 0)
    return trips(arguments + 2);
  if (count >= 2 && strcmp(arguments[1], "crowds") == 0)
    return crowds(arguments + 2);
  if (count == 2 && strcmp(arguments[1], "calls") == 0)
    return calls();
  return fprintf(stderr, "usage: facts trips A:B... | facts crowds N... | facts calls\n"), 2;
}
