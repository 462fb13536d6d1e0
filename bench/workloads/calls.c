#include "calls.h"

#include "clocks.h"

#include <pthread.h>
#include <stdio.h>

static const struct calls *kind;
static long callers, count;
static double *times; /* of all calls, in ms */

static void fail(const char *what)
{
  fprintf(stderr, "%s: %s\n", kind->what, what);
  exit(1);
}

static void *call(void *argument)
{
  long number = (long)argument;
  void *mine = kind->make();
  for (long i = count * number / callers; i < count * (number + 1) / callers; i++) {
    kind->prepare(mine);
    double before = now_us();
    kind->call(mine);
    times[i] = (now_us() - before) / 1e3;
    if (!kind->is_right(mine))
      fail("wrong: this is not the result");
  }
  free(mine);
  return NULL;
}

void calls_check(const struct calls *calls, long by, long how_many)
{
  if (by >= 1 && how_many >= by)
    return;
  fprintf(stderr, "callers=%ld, %ss=%ld: expected at least one caller, and one %s for each\n", by, calls->what, how_many, calls->what);
  exit(2);
}

void calls_measure(const struct calls *calls, long by, long how_many)
{
  kind = calls, callers = by, count = how_many;
  times = calloc((size_t)count, sizeof *times);
  pthread_t *threads = calloc((size_t)callers, sizeof *threads);
  if (times == NULL || threads == NULL)
    fail("no memory");
  double start = now_us();
  for (long k = 0; k < callers; k++)
    if (pthread_create(&threads[k], NULL, call, (void *)k) != 0)
      fail("a thread cannot be made");
  for (long k = 0; k < callers; k++)
    pthread_join(threads[k], NULL);
  double total = (now_us() - start) / 1e3;
  sort_samples(times, count);
  printf("total: %.3f\n%s p50: %.4f\n%s p99: %.4f\n", total, kind->what, times[count / 2], kind->what, times[count * 99 / 100]);
  free(threads);
  free(times);
}
