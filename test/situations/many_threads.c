/* 256 threads on any number of processors: barriers, singles, loops, tasks.  */
#include <omp.h>

int main(void)
{
  int sum = 0, singles = 0, tasks = 0;
#pragma omp parallel num_threads(256) reduction(+ : sum)
  {
    for (int i = 0; i < 10; i++) {
#pragma omp barrier
#pragma omp single
      singles++;
#pragma omp for schedule(dynamic, 1) nowait
      for (int j = 0; j < 512; j++)
        sum++;
    }
#pragma omp task
#pragma omp atomic
    tasks++;
  }
  return sum == 5120 && singles == 10 && tasks == 256 ? 0 : 1;
}
