/* The C side of the program: the number of threads in a region of two; -1: the team has another size
   than the number of threads that were counted.  */
#include <omp.h>

long links_region(void)
{
  long together = 0, size = 0;
#pragma omp parallel num_threads(2) reduction(+ : together)
  {
    together += 1;
#pragma omp single
    size = omp_get_num_threads();
  }
  return size == together ? size : -1;
}
