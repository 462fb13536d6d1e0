/* Regions of one compiler's code inside the other's, four levels deep: sizes, numbers and levels must agree, and so
   must a sum by both compilers' reductions.  */
#include "mixed.h"

BOTH(long, region, int depth, int expected_level);

#ifdef MAIN
enum { DEPTH = 4 };

int main(void)
{
  omp_set_max_active_levels(DEPTH);
  omp_set_dynamic(0);
  for (int round = 0; round < 50; round++) {
    CHECK(gcc_region(DEPTH, 0) == 2 * 3 * 2 * 3);
    CHECK(clang_region(DEPTH, 0) == 2 * 3 * 2 * 3);
  }
  return mixed_wrong != 0;
}
#else
long SIDE(region)(int depth, int expected_level)
{
  int threads = depth % 2 == 0 ? 2 : 3, seen = 0;
  long sum = 0;
  CHECK(omp_get_level() == expected_level);
  if (depth == 0)
    return 1;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    CHECK(omp_get_num_threads() == threads);
    CHECK(omp_get_level() == expected_level + 1 && omp_get_active_level() == expected_level + 1);
    CHECK(omp_get_ancestor_thread_num(expected_level + 1) == omp_get_thread_num());
#pragma omp atomic
    seen |= 1 << omp_get_thread_num();
    sum += OTHER(region)(depth - 1, expected_level + 1);
  }
  CHECK(seen == (1 << threads) - 1);
#pragma omp parallel num_threads(threads) if (depth < 0)
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == expected_level + 1 && omp_get_active_level() == expected_level);
  return sum;
}
#endif
