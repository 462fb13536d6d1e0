/* A program forks after a region, and its child starts regions: how long these take, or that they never end.

   usage: forked WORKERS limit=S samples=N     prints rows; a child without an answer after S seconds is killed */
#include "beside.h"
#include "child.h"
#include "clocks.h"
#include "keys.h"
#include "rows.h"

#include <omp.h>
#include <unistd.h>

enum { STEPS = 250, REGIONS = 100, MOST_CHILDREN = 4, MOST_SAMPLES = 100, NO_GRANDCHILD = 4 };

/* The values that a child sends.  */
enum { READY, FIRST, LATER, TEAM, TOLD };

static long limit_s = 3, samples = 10;
static uint64_t expected;
static double forked_us;

struct found {
  double us[TOLD][MOST_SAMPLES * MOST_CHILDREN];
  long count;
  char wrong[128]; /* what the first child without an answer did; no other child is started then */
};

static double region_us(void)
{
  double before = now_us();
  if (beside_region(STEPS, NULL, NULL) != expected)
    _exit(CHILD_WRONG);
  return now_us() - before;
}

static int team_size(void)
{
  int size = 0;
#pragma omp parallel
#pragma omp master
  size = omp_get_num_threads();
  return size;
}

static void in_child(double *told, void *unused)
{
  double later[REGIONS];
  (void)unused;
  told[READY] = now_us() - forked_us;
  told[FIRST] = region_us();
  for (int i = 0; i < REGIONS; i++)
    later[i] = region_us();
  sort_samples(later, REGIONS);
  told[LATER] = later[REGIONS / 2];
  told[TEAM] = team_size();
}

/* The child starts a child of its own, as in a pool of processes in which one process starts another pool.  */
static void in_grandchild(double *told, void *unused)
{
  region_us();
  if (child_finish(child_start(in_child, TOLD, unused), told, TOLD, 10 * limit_s) != NULL) /* the first process gives up before */
    _exit(NO_GRANDCHILD);
}

/* Starts some children at once.  */
static void sample(struct found *found, int children, void (*run)(double *, void *))
{
  struct child all[MOST_CHILDREN];
  region_us(); /* the parent has its threads, and they have just finished a region */
  forked_us = now_us();
  for (int i = 0; i < children; i++)
    all[i] = child_start(run, TOLD, NULL);
  for (int i = 0; i < children; i++) {
    double told[TOLD] = {0};
    bool late = found->wrong[0] != '\0';
    const char *wrong = child_finish(all[i], told, TOLD, late ? 0 : limit_s);
    if (wrong != NULL && !late)
      snprintf(found->wrong, sizeof found->wrong, "%s", wrong);
    for (int k = 0; k < TOLD; k++)
      found->us[k][found->count] = told[k];
    found->count++;
  }
}

static void measure(const char *who, int children, void (*run)(double *, void *))
{
  static const char *const names[TOLD] = {"forked until it runs", "its first region", "a later region", "threads of its team"};
  struct found found = {.count = 0};
  for (long s = 0; s < samples && found.wrong[0] == '\0'; s++)
    sample(&found, children, run);
  for (int k = 0; k < TOLD; k++)
    row_print(who, names[k], found.us[k], found.count, found.wrong[0] != '\0' ? found.wrong : NULL);
}

static void measure_parent(void)
{
  double us[MOST_SAMPLES];
  for (long s = 0; s < samples; s++)
    us[s] = region_us();
  row_print("parent", "a region when all children have ended", us, samples, NULL);
}

int main(int argc, char **argv)
{
  const struct key keys[] = {{"limit", &limit_s}, {"samples", &samples}};
  long workers;
  if (!keys_read(keys, 2, argc, argv, &workers))
    return 2;
  if (limit_s < 1 || samples < 1 || samples > MOST_SAMPLES) {
    fprintf(stderr, "forked: limit=%ld, samples=%ld: expected at least 1 s, and 1 to %d samples\n", limit_s, samples, MOST_SAMPLES);
    return 2;
  }
  expected = beside_alone(STEPS);
  measure("child", 1, in_child);
  measure("four children at once", MOST_CHILDREN, in_child);
  measure("child's child", 1, in_grandchild);
  measure_parent();
  return 0;
}
