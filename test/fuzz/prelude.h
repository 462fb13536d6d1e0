/* What the generated programs share: counting, checking, and the end of a program.
   A check that fails ends the process, with its name, both values and status 1.  */
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __GNUC__ >= 13
#define INOUTSET inoutset
#else
#define INOUTSET inout /* stronger, so it gives the same results */
#endif

static __attribute__((noinline, cold)) void wrong(const char *what, long have, long want)
{
  printf("wrong: %s is %ld, not %ld; thread %d of %d, level %d\n", what, have, want,
         omp_get_thread_num(), omp_get_num_threads(), omp_get_level());
  fflush(stdout);
  _exit(1);
}

static inline void same(const char *what, long have, long want)
{
  if (have != want)
    wrong(what, have, want);
}

static inline void at_least(const char *what, long have, long want)
{
  if (have < want)
    wrong(what, have, want);
}

static inline void at_most(const char *what, long have, long want)
{
  if (have > want)
    wrong(what, have, want);
}

static void all_same(const char *what, const int *have, long count, long want)
{
  for (long i = 0; i < count; i++)
    same(what, have[i], want);
}

/* Relaxed: the construct under test must order the additions before the sum is read.  */
#define tick(where, value) ((void)__atomic_fetch_add((where), (value), __ATOMIC_RELAXED))
#define look(where) __atomic_load_n((where), __ATOMIC_RELAXED)

static volatile long nothing;

static inline void spin(long count)
{
  for (long i = 0; i < count; i++)
    __asm__ volatile("" ::: "memory");
}

/* A value that the compiler cannot know.  */
#define OPAQUE(type, value) ({ volatile type opaque_ = (value); opaque_; })

/* Addresses for dependences, and memory for loops over pointers.  */
static char places[1 << 18] __attribute__((unused));
struct odd {
  int part[3];
};
static char ground_char[4096] __attribute__((unused));
static long ground_long[4096] __attribute__((unused));
static struct odd ground_odd[4096] __attribute__((unused));

static inline unsigned long mix(long k, long salt)
{
  unsigned long z = (unsigned long)(k + 1) * 0x9E3779B97F4A7C15ul + (unsigned long)salt;
  return z ^ (z >> 29);
}

struct pair {
  long sum, most;
};
#pragma omp declare reduction(pairs : struct pair : omp_out.sum += omp_in.sum, \
                              omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most) \
  initializer(omp_priv = {0, LONG_MIN})

static int own;
#pragma omp threadprivate(own)

/* ------------------------------------------------- frames that end with the program */

struct kept {
  struct kept *next;
  void (*end)(void *);
  _Alignas(64) char room[];
};
static struct kept *kept_list;

static __attribute__((unused)) void *keep(size_t size, void (*end)(void *))
{
  struct kept *k = aligned_alloc(64, (sizeof *k + size + 63) & ~(size_t)63);
  k->end = end;
  k->next = __atomic_load_n(&kept_list, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&kept_list, &k->next, k, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  return k->room;
}

static void end_kept(void)
{
  while (kept_list != NULL) {
    struct kept *k = kept_list;
    kept_list = k->next;
    k->end(k->room);
    free(k);
  }
}

/* ------------------------------------------------------------------------- events */

static __attribute__((unused)) void *fulfill(void *event)
{
  omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
  return NULL;
}

/* A native thread fulfils the event: soon, or before this function returns.  */
static __attribute__((unused)) void fulfill_outside(omp_event_handle_t event, int soon)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, fulfill, (void *)(uintptr_t)event) != 0)
    fulfill((void *)(uintptr_t)event);
  else if (soon)
    pthread_detach(thread);
  else
    pthread_join(thread, NULL);
}

static __attribute__((unused)) void publish(unsigned long *slot, omp_event_handle_t event)
{
  __atomic_store_n(slot, (unsigned long)(uintptr_t)event, __ATOMIC_RELEASE);
}

static __attribute__((unused)) omp_event_handle_t published(unsigned long *slot)
{
  unsigned long event;
  while ((event = __atomic_load_n(slot, __ATOMIC_ACQUIRE)) == 0)
    sched_yield();
  return (omp_event_handle_t)(uintptr_t)event;
}

/* --------------------------------------------------------------------------- main */

static long peak_kib(void)
{
  long kib = 0;
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmHWM: %ld", &kib) == 1)
      break;
  if (file != NULL)
    fclose(file);
  return kib;
}

typedef void program(void);

struct order {
  program *const *programs;
  char **which;
  int count;
};

static void *run_in_order(void *argument)
{
  struct order *order = argument;
  for (int i = 0; i < order->count; i++) {
    order->programs[atoi(order->which[i])]();
#pragma omp barrier /* waits for tasks that were created outside of any region */
  }
  return NULL;
}

/* usage: MASTERS WHICH...: MASTERS native threads execute the programs with these numbers.  */
static int run_programs(program *const *programs, int count, char **words)
{
  struct order order = {programs, words + 2, count - 2};
  int masters = atoi(words[1]);
  pthread_t threads[16];
  for (int i = 1; i < masters; i++)
    pthread_create(&threads[i], NULL, run_in_order, &order);
  run_in_order(&order);
  for (int i = 1; i < masters; i++)
    pthread_join(threads[i], NULL);
  end_kept();
  printf("right, peak %ld KiB\n", peak_kib());
  return 0;
}
