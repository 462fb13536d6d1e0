/* Four, eight and sixteen masters start regions at the same time.  Each thread of each team counts its regions in threadprivate
   data, which lasts from region to region as long as the team has the same size.  Where workers went from one master to
   another, up to a fifth of the regions found another team's data.
   env: OMP_DYNAMIC=false */
#include "masters.h"

#include <omp.h>
#include <stdio.h>

enum { REGIONS = 200 };

static long owner, count;
#pragma omp threadprivate(owner, count)

static int wrong;

static void compute(void)
{
  for (volatile int i = 0; i < 10000; i++)
    ;
}

/* True if this thread's data is that of thread `me` of this master after `region` regions.  */
static int counts_on(long master, long me, long region)
{
  int right = region == 0 || (owner == master * 100 + me && count == region);
  owner = master * 100 + me;
  count = region + 1;
  return right;
}

static void *start_regions(void *number)
{
  long master = (long)number + 1, lost = 0;
  int threads = 2 + (int)(master % 3);
  for (long region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(threads) reduction(+ : lost)
    {
      lost += !counts_on(master, omp_get_thread_num(), region);
      compute();
    }
  }
  if (lost != 0)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  return number;
}

int main(void)
{
  for (long masters = 4; masters <= 16; masters *= 2)
    run_masters(masters, start_regions);
  return wrong;
}
