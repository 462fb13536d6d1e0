/* OMP_DYNAMIC=true: a region may be smaller than the size that was set, but not the regions after a call
   that asks for the size.  A library divides its work by the answer, and its parts may wait for each other;
   after one question it may start several regions of the same function.
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

static int other_team(void)
{
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = 1 + omp_get_num_threads();
  return size - 1;
}

int main(void)
{
  int told = omp_get_max_threads(), first = team(), second = team(), other = other_team(), third = team();
  printf("told %d, then teams of %d, %d and %d; another function's %d\n", told, first, second, third, other);
  if (told != 37 || first != 37 || second != 37 || third != 37 || other > omp_get_num_procs())
    return 1;
  omp_set_num_threads(5);
  return omp_get_max_threads() != 5 || team() != 5;
}
