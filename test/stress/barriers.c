/* Many barriers with more threads than processors: no thread leaves one before all have arrived.  */
#include <omp.h>

enum { THREADS = 7, ROUNDS = 300 };

int main(void)
{
  static int at[THREADS * 16];
  int wrong = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    for (int r = 1; r <= ROUNDS; r++) {
#pragma omp atomic write relaxed
      at[me * 16] = r;
#pragma omp barrier
      for (int t = 0; t < THREADS; t++) {
        int seen;
#pragma omp atomic read relaxed
        seen = at[t * 16];
        wrong += seen < r || seen > r + 1;
      }
    }
  }
  return wrong != 0;
}
