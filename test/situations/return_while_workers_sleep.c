/* main returns while workers sleep; buffered output arrives.
   stdout: ^done$
   status: 5 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(8) reduction(+ : sum)
  sum++;
  usleep(20000); /* they are asleep by now, or not: both must work */
  printf("done");
  return sum == 8 ? 5 : 1;
}
