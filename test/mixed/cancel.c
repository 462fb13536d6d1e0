/* Cancellation on one side must not reach the other side's regions, and must end with its own.
   env: OMP_CANCELLATION=true */
#include "mixed.h"

#include <sched.h>

enum { N = 100000, THREADS = 4 };

BOTH(int, cancelled, void);
BOTH(void, around, void);

#ifdef MAIN
int main(void)
{
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  CHECK(omp_get_cancellation());
  for (int round = 0; round < 50; round++) {
    CHECK(gcc_cancelled() < N);
    CHECK(clang_cancelled() < N);
    gcc_around();
    clang_around();
  }
  return mixed_wrong != 0;
}
#else
/* How many of the N iterations were executed.  */
int SIDE(cancelled)(void)
{
  int executed = 0, after = 0;
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
      executed++;
      if (i == 10) {
#pragma omp cancel for
      }
      /* The thread with iteration 10 may be the last to run: the second half waits for it.  */
      do {
#pragma omp cancellation point for
      } while (i >= N / 2 && sched_yield() == 0);
    }
#pragma omp atomic
    after++;
  }
  CHECK(after == THREADS);
  int reached = 0;
#pragma omp parallel num_threads(THREADS)
  {
    if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    reached++;
  }
  CHECK(reached == 0);
  return executed;
}

void SIDE(around)(void)
{
  int after = 0;
#pragma omp parallel num_threads(2)
  {
    CHECK(OTHER(cancelled)() < N);
#pragma omp barrier
#pragma omp atomic
    after++;
  }
  CHECK(after == 2);
}
#endif
