/* Masters are threads of the program, each with a team of its own.  */
#include "rows.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static int masters, of_each;

static void run_masters(int count, int threads_of_each, void *(*body)(void *))
{
  pthread_t thread[MOST_THREADS];
  masters = count;
  of_each = threads_of_each;
  for (long i = 1; i < count; i++)
    expect(pthread_create(&thread[i], NULL, body, (void *)i) == 0);
  body((void *)0);
  for (int i = 1; i < count; i++)
    pthread_join(thread[i], NULL);
}

static void *have_regions(void *unused)
{
  omp_set_num_threads(of_each);
  TIMES(100)
  {
#pragma omp parallel
    scale_work(1000);
  }
  return unused;
}

static void side_by_side(void)
{
  begin();
  run_masters(outer_of(), n / outer_of(), have_regions);
  end(100);
}

/* A library such as OpenBLAS: it asks how many threads there are, takes a lock of its own, for which the others spin without a yield,
   and starts a region.  All masters call it for a time, and compute between their calls.  Their teams are there when it begins.  */
#define FOR_NS 2e7
#define BETWEEN_NS 2e4 /* else the one that has had the lock would mostly have it again at once */
#define LOOK_NS 500    /* from a look at the lock to the next one */
#define COARSE 5       /* times a pause, because most threads spin for most of the time */
#define THREADS 480    /* of all masters: the engine has 512 */
static _Alignas(128) _Atomic int locked;
static _Atomic int arrived, begun;
static double until;
static struct {
  double calls, longest;
  char pad[112];
} did[MOST_THREADS];

static void begin_together(long me)
{
  atomic_fetch_add(&arrived, 1);
  if (me == 0) {
    while (atomic_load(&arrived) < masters)
      scale_work(LOOK_NS);
    begin();
    until = scale_now() + FOR_NS;
    atomic_store(&begun, 1);
  }
  while (!atomic_load(&begun))
    scale_work(LOOK_NS);
}

static void call_library(void)
{
  int threads = omp_get_max_threads();
  while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
    do
      scale_work(LOOK_NS);
    while (atomic_load_explicit(&locked, memory_order_relaxed));
#pragma omp parallel num_threads(threads)
  scale_work(5e4);
  atomic_store_explicit(&locked, 0, memory_order_release);
}

static void *call_for_a_time(void *argument)
{
  long me = (long)argument;
  omp_set_num_threads(of_each);
#pragma omp parallel
  scale_work(1000);
  begin_together(me);
  for (double began = scale_now(); began < until; began = scale_now()) {
    call_library();
    double ended = scale_now();
    did[me].longest = ended - began > did[me].longest ? ended - began : did[me].longest;
    did[me].calls += ended <= until;
    scale_work(BETWEEN_NS);
  }
  return NULL;
}

static int least(int a, int b) { return a < b ? a : b; }

static void run_library(int count, int threads_of_each)
{
  memset(did, 0, sizeof did);
  arrived = begun = 0;
  scale_count_program(1);
  scale_pauses(COARSE);
  run_masters(count, threads_of_each, call_for_a_time);
}

/* Each with a team for the whole machine, or for as much of it as there are threads.  */
static void run_large(void)
{
  int count = n < 4 ? 2 : least(n / 2, 8);
  run_library(count, least(omp_get_num_procs(), THREADS / count));
}

/* All teams together have as many threads as there are processors.  */
static void run_small(void)
{
  int count = n < 4 ? 2 : least(n / 2, 32);
  run_library(count, n / count);
}

static void end_with_calls(void)
{
  double calls = 0;
  for (int i = 0; i < masters; i++)
    calls += did[i].calls;
  end_with(FOR_NS, calls);
}

static void end_with_longest(void)
{
  double longest = 0;
  for (int i = 0; i < masters; i++)
    longest = did[i].longest > longest ? did[i].longest : longest;
  end_with(longest, 1);
}

static void large_calls(void) { run_large(), end_with_calls(); }
static void large_longest(void) { run_large(), end_with_longest(); }
static void small_calls(void) { run_small(), end_with_calls(); }

#define NO_TURNS "GHCOMP_TURNS=off"
const struct row master_rows[] = {
  COLD_ROW("masters", side_by_side, "a region of each", "several masters, each with its team: 100 regions of 1 us, from their begin"),
  COLD_ROW("library-calls", large_calls, "a call", "2 to 8 masters with large teams call a library with a lock, regions of 50 us: how often a call ends"),
  COLD_ROW("library-longest", large_longest, "a call", "the same: the longest call"),
  COLD_ROW("library-small-calls", small_calls, "a call", "2 to 32 masters, a processor for each thread, call it: how often a call ends"),
  COLD_ROW_WITH(NO_TURNS, "library-calls-turns-off", large_calls, "a call", "library-calls without turns"),
  COLD_ROW_WITH(NO_TURNS, "library-longest-turns-off", large_longest, "a call", "library-longest without turns"),
  COLD_ROW_WITH(NO_TURNS, "library-small-calls-turns-off", small_calls, "a call", "library-small-calls without turns"),
  {0}};
