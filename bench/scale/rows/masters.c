/* Masters are threads of the program, each with a team of its own.  */
#include "rows.h"

#include <pthread.h>
#include <stdatomic.h>

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
   and starts a region.  All masters call it for a time.  */
#define FOR_NS 2e7
#define LOOK_NS 500 /* from a look at the lock to the next one */
#define COARSE 5    /* times a pause, because most threads spin for most of the time */
#define THREADS 480 /* of all masters: the engine has 512 */
static _Alignas(128) _Atomic int locked;
static double until;
static struct {
  double calls, longest;
  char pad[112];
} did[MOST_THREADS];

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
  while (scale_now() < until) {
    double began = scale_now();
    call_library();
    double took = scale_now() - began;
    did[me].longest = took > did[me].longest ? took : did[me].longest;
    did[me].calls++;
  }
  return NULL;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Half as many masters as processors, each with a team for the whole machine, or for as much of it as there are threads.  */
static void run_library(void)
{
  int count = n < 4 ? 2 : least(n / 2, 32);
  scale_count_program(1);
  scale_pauses(COARSE);
  until = scale_now() + FOR_NS;
  begin();
  run_masters(count, least(omp_get_num_procs(), THREADS / count), call_for_a_time);
}

static void calls_of_library(void)
{
  double calls = 0;
  run_library();
  for (int i = 0; i < masters; i++)
    calls += did[i].calls;
  end(calls);
}

static void longest_call(void)
{
  double longest = 0;
  run_library();
  for (int i = 0; i < masters; i++)
    longest = did[i].longest > longest ? did[i].longest : longest;
  end_with(longest, 1);
}

#define NO_TURNS "GHCOMP_TURNS=off"
const struct row master_rows[] = {
  COLD_ROW("masters", side_by_side, "a region of each", "several masters, each with its team: 100 regions of 1 us, from their begin"),
  COLD_ROW("library-calls", calls_of_library, "a call", "2 to 32 masters call a library with a lock, and regions of 50 us: how often a call ends"),
  COLD_ROW("library-longest", longest_call, "a call", "the same: the longest call"),
  COLD_ROW_WITH(NO_TURNS, "library-calls-turns-off", calls_of_library, "a call", "the same without turns: how often a call ends"),
  COLD_ROW_WITH(NO_TURNS, "library-longest-turns-off", longest_call, "a call", "the same without turns: the longest call"),
  {0}};
