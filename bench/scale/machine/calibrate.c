/* What this machine's own operations cost, as "name=value,…" for the engine, ns: a line that the other thread has changed, the part of it
   after which that thread has given up a line that both have, a pause, a futex call that wakes nobody, one that wakes a thread, and until
   that thread runs.  The least of many rounds, or nearly, because others disturb.  */
#include "scale.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

enum { ROUNDS = 2000, TRIPS = 50, PAUSES = 200, WAKES = 300, READS = 1000, LINES = 64 };
#define LOCKED 5.0 /* the engine's costs of a locked operation and of instructions, which are in the round trip */
#define STEP 0.6
#define ASLEEP_AFTER 1e5 /* ns after its announcement a thread surely sleeps */

static _Alignas(128) _Atomic unsigned word;
static _Alignas(128) _Atomic unsigned bed;
static _Alignas(128) _Atomic unsigned announced;
static double woken_at;

static double least(double a, double b) { return a == 0 || b < a ? b : a; }

/* With pauses, as runtimes wait: without them the looks take the line away from who wants to change it.  */
static void look_for(unsigned value)
{
  while (atomic_load_explicit(&word, memory_order_acquire) != value)
    _mm_pause();
}

static long futex(int operation, unsigned value) { return syscall(SYS_futex, &bed, operation, value, NULL, NULL, 0); }

/* `next` is the other one's, in an order that no prefetcher knows.  */
static struct {
  _Alignas(128) _Atomic unsigned changes;
  _Atomic unsigned next;
} lines[LINES];

static void change_lines(void)
{
  for (unsigned i = 0; i < LINES; i++)
    atomic_fetch_add(&lines[i].changes, 1);
}

static void *other(void *unused)
{
  for (unsigned i = 0; i < ROUNDS * TRIPS; i++) {
    look_for(2 * i + 1);
    atomic_fetch_add(&word, 1);
  }
  for (unsigned i = 0; i < READS; i++) {
    look_for(2 * (ROUNDS * TRIPS + i) + 1);
    change_lines();
    atomic_fetch_add(&word, 1);
  }
  for (unsigned i = 0; i < WAKES; i++) {
    atomic_store(&announced, i + 1);
    while (atomic_load(&bed) == i)
      futex(FUTEX_WAIT_PRIVATE, i);
    woken_at = scale_now();
    atomic_fetch_add(&word, 1);
  }
  return unused;
}

static double round_trip(void)
{
  double best = 0;
  for (unsigned r = 0, i = 0; r < ROUNDS; r++) {
    double began = scale_now();
    for (int t = 0; t < TRIPS; t++, i++) {
      look_for(2 * i);
      atomic_fetch_add(&word, 1);
    }
    best = least(best, (scale_now() - began) / TRIPS);
  }
  return best;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A tenth of the rounds is below: sometimes both threads run on one core for a while.  */
static double of_read(void)
{
  static double took[READS];
  look_for(2 * ROUNDS * TRIPS);
  for (unsigned i = 0; i < LINES; i++)
    lines[i * 37 % LINES].next = (i + 1) * 37 % LINES;
  for (unsigned i = 0; i < READS; i++) {
    atomic_fetch_add(&word, 1);
    look_for(2 * (ROUNDS * TRIPS + i) + 2);
    _mm_lfence(); /* else the processor reads ahead while it looks */
    double began = scale_now();
    for (unsigned next = 0, left = LINES; left > 0; left--)
      next = atomic_load_explicit(&lines[next].next, memory_order_relaxed);
    _mm_lfence(); /* until all have come */
    took[i] = (scale_now() - began) / LINES;
  }
  qsort(took, READS, sizeof *took, compare);
  return took[READS / 2];
}

static double of_pause(void)
{
  double best = 0;
  for (int r = 0; r < ROUNDS; r++) {
    double began = scale_now();
    for (int i = 0; i < PAUSES; i++)
      _mm_pause();
    best = least(best, (scale_now() - began) / PAUSES);
  }
  return best;
}

static double of_call(void)
{
  double best = 0;
  for (int r = 0; r < ROUNDS; r++) {
    double began = scale_now();
    futex(FUTEX_WAKE_PRIVATE, 1);
    best = least(best, scale_now() - began);
  }
  return best;
}

/* The medians here: how deep a processor sleeps is a part of it, and the least would be one that did not.  */
static double median(double *numbers)
{
  qsort(numbers, WAKES, sizeof *numbers, compare);
  return numbers[WAKES / 2];
}

static void wake_ups(double *waker, double *sleeper)
{
  static double returned[WAKES], ran[WAKES];
  for (unsigned i = 0; i < WAKES; i++) {
    while (atomic_load(&announced) != i + 1)
      ;
    scale_work(ASLEEP_AFTER);
    unsigned seen = atomic_load(&word);
    double began = scale_now();
    atomic_store(&bed, i + 1);
    futex(FUTEX_WAKE_PRIVATE, 1);
    returned[i] = scale_now() - began;
    look_for(seen + 1);
    ran[i] = woken_at - began;
  }
  *waker = median(returned);
  *sleeper = median(ran);
}

int main(void)
{
  pthread_t thread;
  double pause = of_pause(), waker, sleeper;
  double call = of_call();
  if (pthread_create(&thread, NULL, other, NULL) != 0)
    return 1;
  double trip = round_trip(), near = of_read();
  look_for(2 * (ROUNDS * TRIPS + READS));
  wake_ups(&waker, &sleeper);
  pthread_join(thread, NULL);
  double gives_up = (trip / 2 - LOCKED - STEP - near) / near;
  printf("near=%.1f,give_up=%.2f,pause=%.1f,call=%.0f,wake=%.0f,wakes_after=%.0f\n", near, gives_up < 0 ? 0 : gives_up > 1 ? 1 : gives_up, pause,
         call, waker > call ? waker - call : 0, sleeper > waker ? sleeper - waker : 0);
  return 0;
}
