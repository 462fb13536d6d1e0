/* After a barrier each thread creates a task, and the tasks wait for each other.  A thread that executed another one's task while it
   still was in the barrier would not create its own.
   each: OMP_DYNAMIC=false
   each: OMP_WAIT_POLICY=active
   each: OMP_WAIT_POLICY=passive */
#include <omp.h>
#include <sched.h>
#include <stdbool.h>

enum { MOST_THREADS = 8 };
static const double EACH = .5; /* seconds; a round takes from 1 us to several time slices, as busy as the host is */

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
    long all = before;
    double end = omp_get_wtime() + EACH;
    bool goes_on = true; /* written before a round's first barrier, read between its barriers */
#pragma omp parallel num_threads(threads)
    for (;;) {
#pragma omp masked
      {
        goes_on = omp_get_wtime() < end;
        if (goes_on)
          all += omp_get_num_threads();
      }
#pragma omp barrier
      if (!goes_on)
        break;
#pragma omp task
      meet(all);
#pragma omp barrier
    }
    if (arrived != all || all == before)
      return 1;
    before = all;
  }
  return 0;
}
