/* OMP_DYNAMIC=true: a region may be smaller than the size that was set, but not the region after a call
   that asks for the size.  A library divides its work by the answer, and its parts may wait for each other.
   env: OMP_DYNAMIC=true OMP_NUM_THREADS=37  */
#include <omp.h>
#include <stdio.h>

static int team(void)
{
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

int main(void)
{
  int told = omp_get_max_threads(), first = team(), second = team();
  printf("told %d, then teams of %d and %d\n", told, first, second);
  if (told != 37 || first != 37 || second > omp_get_num_procs())
    return 1;
  omp_set_num_threads(5);
  return omp_get_max_threads() != 5 || team() != 5;
}
