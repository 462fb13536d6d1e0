/* Nested parallelism: levels, sizes and ancestors (5.2, 10.1, 18.2), lists of sizes for each level,
   and the limit on active levels.
   env: OMP_NUM_THREADS=3,2,4 OMP_MAX_ACTIVE_LEVELS=3 */
#include <omp.h>

int main(void)
{
  int inner = 0, wrong = 0;
#pragma omp parallel reduction(+ : inner, wrong)
  {
    int me = omp_get_thread_num();
    wrong += omp_get_num_threads() != 3 || omp_get_level() != 1;
#pragma omp parallel reduction(+ : inner, wrong)
    {
      wrong += omp_get_num_threads() != 2 || omp_get_ancestor_thread_num(1) != me;
#pragma omp parallel reduction(+ : inner, wrong)
      {
        wrong += omp_get_num_threads() != 4 || omp_get_team_size(2) != 2 || omp_get_team_size(1) != 3;
        wrong += omp_get_ancestor_thread_num(0) != 0 || omp_get_ancestor_thread_num(4) != -1;
        inner++;
#pragma omp parallel reduction(+ : wrong)
        wrong += omp_get_num_threads() != 1 || omp_get_level() != 4 || omp_get_active_level() != 3;
      }
    }
  }
  return wrong != 0 || inner != 24;
}
