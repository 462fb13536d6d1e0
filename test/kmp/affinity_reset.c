/* KMP_AFFINITY=reset: the thread that starts outermost regions is bound inside them only.
   env: KMP_AFFINITY=reset,granularity=fine,compact OMP_NUM_THREADS=2,2 OMP_MAX_ACTIVE_LEVELS=2 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

static cpu_set_t at_first;
static int wrong;

static int is_bound(void)
{
  cpu_set_t now;
  sched_getaffinity(0, sizeof now, &now);
  return !CPU_EQUAL(&now, &at_first);
}

static void check(int good, const char *what)
{
  if (!good) {
    printf("%s\n", what);
    wrong = 1;
  }
}

static void outermost(void)
{
#pragma omp parallel
#pragma omp master
  check(is_bound(), "not bound in a region");
  check(!is_bound(), "bound after a region");
}

static void nested(void)
{
#pragma omp parallel
#pragma omp master
  {
    check(is_bound(), "not bound in an outer region");
#pragma omp parallel
#pragma omp master
    check(is_bound(), "not bound in an inner region");
    check(is_bound(), "not bound after an inner region");
  }
  check(!is_bound(), "bound after an outer region");
}

int main(void)
{
  sched_getaffinity(0, sizeof at_first, &at_first);
  if (CPU_COUNT(&at_first) < 2)
    return 0; /* one processor shows no difference */
  for (int i = 0; i < 5; i++) {
    outermost();
    nested();
  }
#pragma omp parallel num_threads(1)
  ;
  check(!is_bound(), "bound after a region of one thread");
  return wrong;
}
