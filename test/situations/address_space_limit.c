/* Under ulimit -v a region still runs.
   wrap: ulimit -v 400000; %s
   stderr: ^(ghcomp: .*\n)*$ */
#include <omp.h>

int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum++;
  return sum >= 1 && sum <= 4 ? 0 : 1;
}
