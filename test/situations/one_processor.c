/* Four threads that wait for each other, on one processor.
   wrap: taskset -c 0 %s */
#include <omp.h>

int main(void)
{
  int turns = 0;
  for (int r = 0; r < 200; r++) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered schedule(static, 1)
      for (int i = 0; i < 16; i++) {
#pragma omp ordered
        turns += turns % 16 == i;
      }
#pragma omp barrier
    }
  }
  return turns == 3200 ? 0 : 1;
}
