/* OMP_DISPLAY_AFFINITY in nested regions: each thread of each region has its line, whichever worker serves there.
   The two inner regions of four levels often get the same worker, one after the other.
   env: OMP_DISPLAY_AFFINITY=true
   wrap: for i in $(seq 60); do %s 2>&1; done | sort | uniq -c
   stdout: 120 level 4 thread 0 of 2\n +120 level 4 thread 1 of 2\n$  */
#include <omp.h>

int main(void)
{
  omp_set_affinity_format("level %L thread %n of %N");
  omp_set_max_active_levels(4);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
  omp_get_thread_num();
  return 0;
}
