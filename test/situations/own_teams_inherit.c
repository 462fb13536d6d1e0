/* Four and sixteen masters, each with attributes of its own, which it sets before its first region: affinity mask, blocked
   signals, nice value, scheduling policy, rounding, flushing to zero.  Its team's threads inherit them, and have them in all
   regions.  Where workers went from one master to another, a third of the looks found another master's.
   link: -lm */
#include "inherited.h"
#include "masters.h"

#include <omp.h>

enum { REGIONS = 100 };

static int wrong;

static void compute(void)
{
  for (volatile int i = 0; i < 10000; i++)
    ;
}

static void *start_regions(void *number)
{
  inherited_set((long)number);
  struct inherited own = inherited_look();
  int others = 0, threads = 2 + (int)((long)number % 3);
  for (int region = 0; region < REGIONS && others == 0; region++) {
#pragma omp parallel num_threads(threads) reduction(+ : others)
    {
      others += inherited_differs(&own);
      compute();
    }
  }
  if (others != 0)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  return number;
}

int main(void)
{
  run_masters(4, start_regions);
  run_masters(16, start_regions);
  return wrong;
}
