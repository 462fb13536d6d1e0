/* The counters' functions of include/ghcomp.h.  */
#include "include/ghcomp.h"

#include "abi/border.h"
#include "base/stats.h"

ENTRY_POINTS(ghcomp_stats);

EXPORT unsigned ghcomp_stats_count(void)
{
  return STATS;
}

EXPORT const char *ghcomp_stats_name(unsigned number)
{
  return ghcomp_stats_name_of(number);
}

EXPORT unsigned long long ghcomp_stats_value(unsigned number)
{
  return ghcomp_stats_sum(number);
}

EXPORT void ghcomp_stats_reset(void)
{
  ghcomp_stats_forget();
}
