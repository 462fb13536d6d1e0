/* main returns while workers sleep; buffered output must appear.
   stdout: ^done$
   status: 5 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(8) reduction(+ : sum)
  sum++;
  usleep(20000); /* the workers probably sleep now; the test holds in any case */
  printf("done");
  return sum == 8 ? 5 : 1;
}
