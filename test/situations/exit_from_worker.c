/* exit() in a worker ends the process with that status.
   status: 4 */
#include <omp.h>
#include <stdlib.h>

int main(void)
{
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 3)
      exit(4);
#pragma omp barrier
  }
  return 0;
}
