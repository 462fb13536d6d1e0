/* What the generated programs share: counting and checking. A check that fails ends the process, with its name, both
   values and status 1.  */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
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

/* The compilers' headers give a lock different sizes.  */
#define ROOM_FOR(type) \
  union { \
    type it; \
    _Alignas(16) char room[32]; \
  }

struct pair {
  long sum, most;
};
#pragma omp declare reduction(pairs : struct pair : omp_out.sum += omp_in.sum, \
                              omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most) \
  initializer(omp_priv = {0, LONG_MIN})

static int own;
#pragma omp threadprivate(own)

/* What a file of GCC's and one of Clang's have together stands in the first one.  */
#ifdef SECOND_PART
#define SHARED extern
#else
#define SHARED
#endif

/* -------------------------------------------------------------------------- disturbed */

/* Signals whose handlers start regions or exit; none if the program runs undisturbed.  */
SHARED sigset_t disturbing;
SHARED int disturbed, regions_in_handlers;

struct held {
  sigset_t signals;
  int cancellation;
};

/* A handler may start a region or exit only where its thread holds no lock of the C library's.  And the only cancellation point of
   these programs is between two of them.  */
static struct held hold(void)
{
  struct held held;
  if (disturbed) {
    pthread_sigmask(SIG_BLOCK, &disturbing, &held.signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held.cancellation);
  }
  return held;
}

static void let(struct held held)
{
  if (disturbed) {
    pthread_setcancelstate(held.cancellation, NULL);
    pthread_sigmask(SIG_SETMASK, &held.signals, NULL);
  }
}

static __attribute__((unused)) void sleep_us(unsigned us)
{
  struct held held = hold();
  usleep(us);
  let(held);
}

/* Bodies that wait for each other.  */
static __attribute__((unused)) void meet(long *arrived, long all)
{
  tick(arrived, 1);
  while (look(arrived) < all)
    sched_yield();
}

#include "lasting.h"

/* ------------------------------------------------- frames that end with the program */

struct kept {
  struct kept *next;
  void (*end)(void *);
  _Alignas(64) char room[];
};
SHARED struct kept *kept_list;

static __attribute__((unused)) void *keep(size_t size, void (*end)(void *))
{
  struct held held = hold();
  struct kept *k = aligned_alloc(64, (sizeof *k + size + 63) & ~(size_t)63);
  let(held);
  k->end = end;
  k->next = __atomic_load_n(&kept_list, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&kept_list, &k->next, k, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  return k->room;
}

static __attribute__((unused)) void end_kept(void)
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
  struct held held = hold();
  pthread_t thread;
  if (pthread_create(&thread, NULL, fulfill, (void *)(uintptr_t)event) != 0)
    fulfill((void *)(uintptr_t)event);
  else if (soon)
    pthread_detach(thread);
  else
    pthread_join(thread, NULL);
  let(held);
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

/* Fulfils each event that is published, until all are over.  */
static __attribute__((unused)) void fulfil_published(unsigned long *slots, int count, int *over)
{
  while (!__atomic_load_n(over, __ATOMIC_ACQUIRE)) {
    for (int i = 0; i < count; i++) {
      unsigned long event = __atomic_exchange_n(&slots[i], 0, __ATOMIC_ACQUIRE);
      if (event != 0)
        omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
    }
    sched_yield();
  }
}
