/* Two threads count, while a third adds up all counters.
   code: base/stats.c.  */
#include "base/stats.h"
#include "made_team.h"

unsigned weak_threads = 3;

void weak_setup(void)
{
  make_members(weak_threads);
}

void weak_thread(unsigned number)
{
  if (number != 0) {
    store_relaxed_at(0, &thread[number]->waiter.counters.count[STAT_REGIONS], 1);
    ghcomp_stats_watch(&thread[number]->waiter.counters);
  } else
    weak_assert(ghcomp_stats_sum(STAT_REGIONS) <= 2);
}

void weak_end(void)
{
  weak_assert(ghcomp_stats_sum(STAT_REGIONS) == 2);
}
