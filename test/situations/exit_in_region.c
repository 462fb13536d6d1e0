/* exit() in thread 0 inside a region ends the process at once.
   status: 3 */
#include <omp.h>
#include <stdlib.h>

int main(void)
{
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 0)
      exit(3);
#pragma omp barrier
  }
  return 0;
}
