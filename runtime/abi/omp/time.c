/* Time.  Spec: 5.2, 18.10.  */
#include "abi/border.h"

#include "machine/clock.h"

ENTRY_POINTS(omp_time);

EXPORT double omp_get_wtime(void)
{
  return (double)clock_ns() * 1e-9;
}

EXPORT double omp_get_wtick(void)
{
  return (double)clock_resolution_ns() * 1e-9;
}
