/* Reductions.  The program's own accesses count here: the compilers put a part of the work into the program.  */
#include "rows.h"

static void of_a_long(void)
{
  long sum = 0;
  scale_count_program(1);
  begin();
  TIMES(10)
  {
#pragma omp parallel reduction(+ : sum)
    sum++;
  }
  end(10);
  expect(sum == 10 * n);
}

/* GCC 12 does not instrument the compare-and-swap loop that it makes of this, so it's written out for GCC's code.  */
static void of_a_double(void)
{
  double sum = 0;
  scale_count_program(1);
  begin();
  TIMES(10)
  {
#ifdef __clang__
#pragma omp parallel reduction(+ : sum)
    sum += 1;
#else
#pragma omp parallel
    {
      double is, becomes;
      __atomic_load(&sum, &is, __ATOMIC_RELAXED);
      do
        becomes = is + 1;
      while (!__atomic_compare_exchange(&sum, &is, &becomes, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
#endif
  }
  end(10);
  expect(sum == 10 * n);
}

const struct row reduction_rows[] = {
  ROW("reduction-long", of_a_long, "a region", "a region with the sum of a long"),
  ROW("reduction-double", of_a_double, "a region", "a region with the sum of a double"),
  {0}};
