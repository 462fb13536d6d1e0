/* Short-lived native threads with a region of tasks each.  */
#include "masters.h"

static int work(void)
{
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp task shared(sum)
#pragma omp atomic
  sum++;
  return sum == 2;
}

int main(int count, char **arguments)
{
  return masters_run(soak_rounds(count, arguments), work);
}
