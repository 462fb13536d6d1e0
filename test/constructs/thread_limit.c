/* The thread limit is one limit for all regions of a contention group together.
   env: OMP_THREAD_LIMIT=5 OMP_MAX_ACTIVE_LEVELS=2 */
#include <omp.h>

int main(void)
{
  int most = 0, now = 0;
  for (int r = 0; r < 20; r++) {
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(4)
    {
      int n;
#pragma omp atomic capture
      n = ++now;
#pragma omp critical
      most = n > most ? n : most;
#pragma omp barrier
#pragma omp atomic
      now--;
    }
  }
  int size = 0;
#pragma omp parallel num_threads(9)
#pragma omp single
  size = omp_get_num_threads();
  return most > 5 || size != 5 || omp_get_thread_limit() != 5;
}
