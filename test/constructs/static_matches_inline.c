/* A static loop that the library divides, and one that the compiler divides by itself, must give each
   thread the same iterations (5.2, 11.5.3).
   env: OMP_SCHEDULE=static */
#include <omp.h>

enum { N = 1003 };

int main(void)
{
  static int mine[N], theirs[N];
  int wrong = 0;
  for (int threads = 1; threads <= 7; threads++) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
      for (int i = 0; i < N; i++)
        mine[i] = omp_get_thread_num();
#pragma omp for schedule(runtime)
      for (int i = 0; i < N; i++)
        theirs[i] = omp_get_thread_num();
    }
    for (int i = 0; i < N; i++)
      wrong += mine[i] != theirs[i];
  }
  return wrong;
}
