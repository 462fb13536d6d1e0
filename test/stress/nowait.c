/* Hundreds of nowait constructs at once: one thread finishes all of them before another begins.  */
#include <omp.h>

enum { CONSTRUCTS = 500 };

int main(void)
{
  static int hits[CONSTRUCTS];
  int ahead = 0, wrong = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 2) {
      int seen = 0;
      while (!seen) {
#pragma omp atomic read acquire
        seen = ahead;
      }
    }
    for (int c = 0; c < CONSTRUCTS; c++) {
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i < 5; i++) {
#pragma omp atomic
        hits[c]++;
      }
    }
    if (omp_get_thread_num() == 0) {
#pragma omp atomic write release
      ahead = 1;
    }
  }
  for (int c = 0; c < CONSTRUCTS; c++)
    wrong += hits[c] != 5;
  return wrong;
}
