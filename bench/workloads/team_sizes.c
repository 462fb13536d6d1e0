/* Regions whose teams differ in size from those before them: the time of a region, and how many system threads took part in all
   of them.  A runtime that creates threads anew has more of them than its largest team.

   usage: team_sizes THREADS regions=N     prints rows */
#include "clocks.h"
#include "keys.h"
#include "rows.h"

#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SAMPLES = 5, MOST_SIZES = 3, WORK = 40000 };

struct turns {
  int count, sizes[MOST_SIZES];
};

static long regions = 400;
static int *seen; /* system numbers of the threads that took part, region after region */
static long seen_count;

static int thread_id(void)
{
  static __thread int id;
  return id != 0 ? id : (id = (int)syscall(SYS_gettid));
}

/* A sum over a recurrence that no compiler can shorten.  */
static unsigned long part(long first, long last)
{
  unsigned long x = 1;
  for (long i = first; i < last; i++)
    x = x * 2862933555777941757u + (unsigned long)i;
  return x;
}

static unsigned long region(int size, long loop)
{
  unsigned long sum = 0;
  int *mine = seen + seen_count;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    int me = omp_get_thread_num();
    mine[me] = thread_id();
    sum += part(loop * me / size, loop * (me + 1) / size) + (unsigned long)(omp_get_num_threads() != size);
  }
  seen_count += size;
  return sum;
}

static unsigned long expected_of(int size, long loop)
{
  unsigned long sum = 0;
  for (long i = 0; i < size; i++)
    sum += part(loop * i / size, loop * (i + 1) / size);
  return sum;
}

static int compare_ids(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

/* How many different threads took part since the last call.  */
static long count_threads(void)
{
  long different = 0;
  qsort(seen, (size_t)seen_count, sizeof *seen, compare_ids);
  for (long i = 0; i < seen_count; i++)
    different += i == 0 || seen[i] != seen[i - 1];
  seen_count = 0;
  return different;
}

static void name_turns(char *name, size_t size, const struct turns *turns, long loop)
{
  size_t used = 0;
  for (int k = 0; k < turns->count; k++)
    used += (size_t)snprintf(name + used, size - used, "%s%d", k == 0 ? "" : k + 1 < turns->count ? ", " : " and ", turns->sizes[k]);
  snprintf(name + used, size - used, " threads%s, %s", turns->count > 1 ? " in turn" : "", loop > 0 ? "40 us of work" : "no work");
}

static void measure(const struct turns *turns, long loop)
{
  char name[80];
  double us[SAMPLES], threads[SAMPLES];
  unsigned long expected[MOST_SIZES];
  long wrong = 0;
  for (int k = 0; k < turns->count; k++)
    expected[k] = expected_of(turns->sizes[k], loop);
  for (int s = -1; s < SAMPLES; s++) { /* every runtime may create threads before the first sample */
    double before = now_us();
    for (long r = 0; r < regions; r++)
      wrong += region(turns->sizes[r % turns->count], loop) != expected[r % turns->count];
    double after = now_us();
    long different = count_threads();
    if (s >= 0) {
      us[s] = (after - before) / (double)regions;
      threads[s] = (double)different;
    }
  }
  name_turns(name, sizeof name, turns, loop);
  row_print(name, "a region", us, SAMPLES, row_wrong(wrong));
  row_print(name, "threads that took part", threads, SAMPLES, row_wrong(wrong));
}

int main(int argc, char **argv)
{
  const struct key keys[] = {{"regions", &regions}};
  long threads;
  if (!keys_read(keys, 1, argc, argv, &threads))
    return 2;
  int t = (int)threads;
  const struct turns all[] = {{1, {t}}, {2, {1, t}}, {2, {t, t + 1}}, {2, {t, 2 * t}}, {3, {t, t + 1, 2 * t}}};
  seen = calloc((size_t)regions * (size_t)t * 2, sizeof *seen);
  if (regions < 1 || seen == NULL) {
    fprintf(stderr, "team_sizes: regions=%ld: expected at least 1, and as many as memory has room for\n", regions);
    return 2;
  }
  omp_set_dynamic(0);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    measure(&all[i], 0);
    measure(&all[i], WORK);
  }
  return 0;
}
