/* One thread.  Each link of a chain creates small tasks and then its successor, which has a priority.
   The thread must also execute the small tasks, so that they do not pile up.
   env: OMP_MAX_TASK_PRIORITY=9  */
#include "peak.h"

#include <omp.h>

enum { LINKS = 20000, LEAVES = 14, MOST_KIB = 16 * 1024 };

static long done;

static void link_of(long number)
{
  volatile char local[200]; /* on a deep stack, tasks created in frames of this size are deferred */
  local[0] = 1;
  for (int i = 0; i < LEAVES; i++) {
#pragma omp task
    done++;
  }
  if (number < LINKS)
#pragma omp task firstprivate(number) priority(6)
    link_of(number + 1);
}

int main(void)
{
#pragma omp parallel num_threads(1)
  link_of(1);
  if (omp_get_max_task_priority() == 0)
    return printf("OMP_MAX_TASK_PRIORITY is not set\n"), 1;
  if (done != (long)LEAVES * LINKS)
    return printf("%ld tasks\n", done), 1;
  long peak = peak_kib();
  if (peak > MOST_KIB)
    return printf("peak %ld KiB, expected %d at most\n", peak, MOST_KIB), 1;
  return 0;
}
