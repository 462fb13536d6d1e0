/* After a barrier each thread creates a task, and the tasks wait for each other.  A thread that executed another one's task while it
   still was in the barrier would not create its own.
   each: OMP_WAIT_POLICY=active
   each: OMP_WAIT_POLICY=passive */
#include <omp.h>
#include <sched.h>

enum { ROUNDS = 20000, MOST_THREADS = 8 };

static long arrived;

static void meet(long all)
{
  __atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&arrived, __ATOMIC_RELAXED) < all)
    sched_yield();
}

int main(void)
{
  long before = 0;
  for (int threads = 2; threads <= MOST_THREADS; threads++) {
    int size = 0;
#pragma omp parallel num_threads(threads)
    {
      long n = omp_get_num_threads();
#pragma omp masked
      size = (int)n;
      for (long round = 1; round <= ROUNDS / threads; round++) {
#pragma omp barrier
#pragma omp task
        meet(before + round * n);
#pragma omp barrier
      }
    }
    before += (ROUNDS / threads) * (long)size;
    if (arrived != before)
      return 1;
  }
  return 0;
}
