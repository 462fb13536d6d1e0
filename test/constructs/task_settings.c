/* A task inherits the ICVs that its parent has when it creates the task.  The parent's later changes,
   also while its children run, must not reach the task; the same holds for the task's own children.  */
#include <omp.h>
#include <stdio.h>

enum { TASKS = 3000, SPIN = 2000 };

static _Atomic int wrong;

static void check(int chunk)
{
  omp_sched_t kind;
  int now;
  omp_get_schedule(&kind, &now);
  if (now != chunk)
    wrong++;
}

static void child(int i)
{
  check(i);
#pragma omp task firstprivate(i)
  {
    for (volatile int k = 0; k < SPIN; k++)
      ;
    check(i);
  }
  if (i % 2 == 0)
    omp_set_schedule(omp_sched_dynamic, 2 * TASKS);
#pragma omp task firstprivate(i)
  check(i % 2 == 0 ? 2 * TASKS : i);
}

static void produce(int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    omp_set_schedule(omp_sched_static, TASKS);
    for (int i = 1; i <= TASKS; i++) {
      omp_set_schedule(omp_sched_dynamic, i);
#pragma omp task firstprivate(i)
      child(i);
#pragma omp task if (i % 3 == 0) firstprivate(i)
      child(i);
    }
    check(TASKS);
  }
}

int main(void)
{
  for (int threads = 1; threads <= 4; threads++)
    produce(threads);
  if (wrong != 0)
    printf("%d wrong\n", (int)wrong);
  return wrong != 0;
}
