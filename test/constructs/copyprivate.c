/* single executes once, and copyprivate gives its values to all threads (5.2, 5.7.2).  */
#include <omp.h>

int main(void)
{
  int executed = 0, wrong = 0;
#pragma omp parallel num_threads(5) reduction(+ : wrong)
  for (int r = 0; r < 200; r++) {
    int a = -1;
    double b[3] = {0};
#pragma omp single copyprivate(a, b)
    {
      a = r;
      b[2] = r * 0.5;
      executed++;
    }
    wrong += a != r || b[2] != r * 0.5;
  }
  return wrong != 0 || executed != 200;
}
