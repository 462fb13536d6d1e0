/* Short-lived native threads with dependent tasks.  */
#include "masters.h"

static int work(void)
{
  int x = 0, y = 0;
#pragma omp task shared(x) depend(out : x)
  x = 1;
#pragma omp task shared(x, y) depend(in : x)
  y = x + 1;
#pragma omp taskwait
  return y == 2;
}

int main(int count, char **arguments)
{
  return masters_run(soak_rounds(count, arguments), work);
}
