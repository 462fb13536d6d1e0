/* Native threads of a C program start regions at the same time.  Measures the time of all, and the time of one thread for all the work.

   usage: callers WORKERS [KEY=NUMBER]...     prints rows in microseconds

   callers=, regions=, steps=   the number of threads, of regions for each, and of steps in a region
   values=                      the number of values that two callers exchange through pipes, inside their regions
   chain=                       1: the regions of each caller wait inside for those of the next caller
   busy=                        the number of other processes that compute meanwhile on the same processors
   processors=                  the processors whose time the program gets, if a quota leaves fewer than WORKERS
   percent=                     the part of the regions */
#include "beside.h"
#include "busy.h"
#include "clocks.h"
#include "keys.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALONE = 40, WARM_UP = 3 };

static long callers = 1, regions = 1, steps, values, chain, busy, processors, percent = 100;
static const struct key settings[] = {{"callers", &callers}, {"regions", &regions}, {"steps", &steps},
                                      {"values", &values}, {"chain", &chain}, {"busy", &busy}, {"processors", &processors}, {"percent", &percent}};

static uint64_t expected;
static double *times; /* of the regions of each caller, one caller after the other */
static pthread_barrier_t begin, end;

struct caller {
  pthread_t thread;
  long number;
  double started, ended;
  long os_threads;
  int from[2], to[2]; /* pipes: from the next caller; to the previous caller, or to the other one of two */
};

static void fail(const char *what)
{
  fprintf(stderr, "callers: %s\n", what);
  exit(1);
}

/* ------------------------------------------------------------------- waiting inside of regions */

static void put(int pipe, long value)
{
  if (write(pipe, &value, sizeof value) != sizeof value)
    fail("a pipe takes no value");
}

static void take(int pipe, long wanted)
{
  long value;
  if (read(pipe, &value, sizeof value) != sizeof value || value != wanted)
    fail("wrong: the value from the other region");
}

static void meet(void *argument)
{
  struct caller *me = argument;
  for (long v = 1; v <= values; v++) {
    put(me->to[1], v);
    take(me->from[0], v);
  }
  if (chain && me->number + 1 < callers)
    take(me->from[0], callers - me->number - 1);
  if (chain && me->number > 0)
    put(me->to[1], callers - me->number);
}

/* Two callers exchange values by two pipes; in a chain each caller has a pipe from the next one.  */
static void connect(struct caller *all)
{
  for (long k = 0; k < callers && (values || chain); k++) {
    long other = values ? k ^ 1 : k - 1;
    int ends[2];
    if (other < 0)
      continue;
    if (other >= callers || pipe(ends) != 0)
      fail("two callers have no pipe");
    memcpy(all[k].to, ends, sizeof ends);
    memcpy(all[other].from, ends, sizeof ends);
  }
}

/* ----------------------------------------------------------------------------------------- callers */

static void look(struct caller *me)
{
  long seen = beside_os_threads();
  me->os_threads = seen > me->os_threads ? seen : me->os_threads;
}

static void region(struct caller *me)
{
  if (beside_region(steps, values || chain ? meet : NULL, me) != expected)
    fail("wrong: a region's sum");
}

static void *call(void *argument)
{
  struct caller *me = argument;
  double *time = times + me->number * regions;
  for (int i = 0; i < WARM_UP && me->number == 0; i++)
    if (beside_region(steps, NULL, NULL) != expected) /* afterwards the runtime has its threads */
      fail("wrong: a region's sum");
  pthread_barrier_wait(&begin);
  me->started = now_us();
  for (long i = 0; i < regions; i++) {
    if (i == regions / 2)
      look(me);
    double before = now_us();
    region(me);
    time[i] = now_us() - before;
  }
  me->ended = now_us();
  look(me);
  pthread_barrier_wait(&end); /* the last caller looks while all threads exist */
  return NULL;
}

/* ------------------------------------------------------------------------------------------- rows */

/* The time of a region's work in one thread, while nothing else runs.  */
static double measure_alone(void)
{
  double alone[ALONE];
  expected = beside_alone(steps);
  for (int i = 0; i < ALONE; i++) {
    double before = now_us();
    if (beside_alone(steps) != expected)
      fail("wrong: a sum");
    alone[i] = now_us() - before;
  }
  sort_samples(alone, ALONE);
  return alone[ALONE / 2];
}

static void run(struct caller *all)
{
  pthread_barrier_init(&begin, NULL, (unsigned)callers);
  pthread_barrier_init(&end, NULL, (unsigned)callers);
  for (long k = 0; k < callers; k++) {
    all[k].number = k;
    if (pthread_create(&all[k].thread, NULL, call, &all[k]) != 0)
      fail("a thread cannot be made");
  }
  for (long k = 0; k < callers; k++)
    pthread_join(all[k].thread, NULL);
}

static void report(const struct caller *all, double bound)
{
  double started = all[0].started, ended = all[0].ended;
  long most = 0, count = callers * regions;
  for (long k = 0; k < callers; k++) {
    started = all[k].started < started ? all[k].started : started;
    ended = all[k].ended > ended ? all[k].ended : ended;
    most = all[k].os_threads > most ? all[k].os_threads : most;
  }
  sort_samples(times, count);
  printf("total: %.1f\nbound: %.1f\ntotal / bound: %.4f\n", ended - started, bound, (ended - started) / bound);
  printf("region p50: %.3f\nregion p99: %.3f\nOS threads: %ld\n", times[count / 2], times[count * 99 / 100], most);
}

int main(int argc, char **argv)
{
  long workers;
  if (!keys_read(settings, sizeof settings / sizeof *settings, argc, argv, &workers))
    return 2;
  regions = (regions * percent + 99) / 100;
  if (callers < 1 || regions < 1) {
    fprintf(stderr, "callers: callers=%ld, regions=%ld: at least 1 of each is needed\n", callers, regions);
    return 2;
  }
  times = calloc((size_t)(callers * regions), sizeof *times);
  struct caller *all = calloc((size_t)callers, sizeof *all);
  if (times == NULL || all == NULL)
    fail("no memory");
  double bound = measure_alone() * (double)(callers * regions) / (double)(processors > 0 ? processors : workers);
  connect(all);
  if (!busy_start(busy))
    fail("so many busy processes cannot be made");
  run(all);
  busy_stop();
  report(all, bound);
  return 0;
}
