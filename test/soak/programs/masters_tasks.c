/* Short-lived native threads with tasks outside of all regions.  */
#include "masters.h"

static int work(void)
{
  int sum = 0;
  for (int i = 0; i < 2; i++)
#pragma omp task shared(sum)
    sum++;
#pragma omp taskwait
  return sum == 2;
}

int main(int count, char **arguments)
{
  return masters_run(soak_rounds(count, arguments), work);
}
