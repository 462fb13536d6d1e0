/* usage: rows ROW THREADS     runs one row, and prints it as a line of JSON
          rows --list          prints of each row, between tabs, its name, what it shows, its unit, its family, its setting

   DOZE_MS and COARSE: a runtime whose threads spin for long before they sleep takes long to simulate, look by look; while the
   program dozes, each pause is COARSE times as long.
   REPEATS: the row is run so often; of use on a real machine, which is disturbed.  FOR_MS: not again after so many milliseconds.  The
   least time is printed, and the median.  A row of a process's first region is run once.  */
#include "rows.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

enum { MOST_REPEATS = 1000 };
int n;
struct padded of[MOST_THREADS];
static const struct family {
  const char *name;
  const struct row *rows;
} families[] = {{"teams", team_rows}, {"masters", master_rows}, {"barriers", barrier_rows}, {"shared", shared_rows}, {"loops", loop_rows},
                {"turns", turn_rows}, {"reductions", reduction_rows}, {"tasks", task_rows}, {"tasks", task_form_rows}, {"machine", machine_rows}};
static const struct row *row;
static double began;
static struct scale_counts before;
static struct { double ns, per; struct scale_counts counts; } result;

double setting(const char *name, double otherwise)
{
  const char *text = getenv(name);
  return text != NULL ? atof(text) : otherwise;
}

void doze(void)
{
  long ms = (long)setting("DOZE_MS", 50);
  scale_pauses(setting("COARSE", 1));
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
  scale_pauses(1);
}

void begin(void)
{
  scale_begin();
  before = scale_counts();
  began = scale_now();
}

void end_with(double ns, double per)
{
  struct scale_counts now = scale_counts();
  result.ns = ns;
  result.per = per;
  result.counts = (struct scale_counts){now.transfers - before.transfers, now.calls - before.calls, now.wakes - before.wakes};
  scale_end(row->name, per);
}

void end(double per) { end_with(scale_now() - began, per); }

void expect(int right)
{
  if (!right) {
    fprintf(stderr, "rows: %s with %d threads: a wrong result\n", row->name, n);
    exit(1);
  }
}

int outer_of(void)
{
  int outer = 1;
  while (4 * outer * outer <= n)
    outer *= 2;
  return outer;
}

static const struct row *find(const char *name)
{
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (const struct row *r = families[f].rows; r != NULL && r->name != NULL; r++)
      if (strcmp(r->name, name) == 0)
        return r;
  fprintf(stderr, "rows: there is no row '%s': rows --list\n", name);
  exit(2);
}

static int list(void)
{
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (const struct row *r = families[f].rows; r != NULL && r->name != NULL; r++)
      printf("%s\t%s\t%s\t%s\t%s\n", r->name, r->shows, r->unit, families[f].name, r->setting != NULL ? r->setting : "");
  return 0;
}

/* Regions and barriers, so many that a runtime has learned what it learns: what a pause takes, what a line costs.  */
static void warm(void)
{
  TIMES(24)
  {
#pragma omp parallel
    {
      scale_work(100);
#pragma omp barrier
    }
  }
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The times of all runs, the least one first; how many there are.  */
static int repeat(double *times, int most)
{
  double until = scale_now() + 1e6 * setting("FOR_MS", 1e9);
  int made = 0;
  do {
    row->run();
    times[made++] = result.ns / result.per;
  } while (made < most && scale_now() < until);
  qsort(times, (size_t)made, sizeof *times, compare);
  return made;
}

static int run(char **arguments)
{
  static double times[MOST_REPEATS];
  row = find(arguments[1]);
  n = atoi(arguments[2]);
  if (n < 1 || n > MOST_THREADS)
    return fprintf(stderr, "rows: '%s': expected 1 to %d threads\n", arguments[2], MOST_THREADS), 2;
  omp_set_dynamic(0);
  omp_set_num_threads(n);
  if (!row->cold)
    warm();
  double most = row->cold ? 1 : setting("REPEATS", 1);
  int made = repeat(times, most < 1 ? 1 : most < MOST_REPEATS ? (int)most : MOST_REPEATS);
  printf("{\"row\": \"%s\", \"threads\": %d, \"ns\": %.2f, \"median_ns\": %.2f, \"transfers\": %.2f, \"calls\": %.2f, \"wakes\": %.2f}\n", row->name,
         n, times[0], times[made / 2], (double)result.counts.transfers / result.per, (double)result.counts.calls / result.per,
         (double)result.counts.wakes / result.per);
  return 0;
}

/* The stack begins at a round address, whatever the environment above it contains: which variables share a line is the same in
   each run.  */
int main(int count, char **arguments)
{
  if (count == 2 && strcmp(arguments[1], "--list") == 0)
    return list();
  if (count != 3)
    return fprintf(stderr, "usage: rows ROW THREADS | rows --list\n"), 2;
  char *volatile round = __builtin_alloca((uintptr_t)__builtin_frame_address(0) % (1 << 20) + 1);
  (void)round;
  return run(arguments);
}
