/* Many cancelled regions, loops and taskgroups.  Later constructs of the same team must be
   complete.
   env: OMP_CANCELLATION=true */
#include <omp.h>

int main(void)
{
  for (int r = 0; r < 300; r++) {
    int sum = 0, late = 0, tasks = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp barrier
      if (omp_get_thread_num() == r % 4) {
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp atomic
      late++;
    }
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < 100; i++) {
        if (i == 10) {
#pragma omp cancel for
        }
        sum++;
#pragma omp cancellation point for
      }
#pragma omp for
      for (int i = 0; i < 8; i++)
        sum += 1000;
    }
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
      {
#pragma omp atomic
        tasks++;
        if (i == 3) {
#pragma omp cancel taskgroup
        }
      }
    }
    if (late != 0 || sum / 1000 != 8 || sum % 1000 >= 100 || tasks < 1 || tasks > 20)
      return 1;
  }
  return 0;
}
