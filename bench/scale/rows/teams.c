/* Teams: regions hot, asleep, first, nested, of a size that grows.  */
#include "rows.h"

static void fork_join(void)
{
  begin();
  TIMES(20)
  {
#pragma omp parallel
    scale_work(100);
  }
  end(20);
}

double last_to_begin(void)
{
  double fork = scale_now(), last = 0;
#pragma omp parallel
  of[omp_get_thread_num()].left = scale_now();
  for (int i = 0; i < n; i++)
    last = of[i].left - fork > last ? of[i].left - fork : last;
  return last;
}

static void asleep(void)
{
  double sum = 0;
  TIMES(4)
  {
    doze();
    if (r_ == 1)
      begin();
    double last = last_to_begin();
    sum += r_ > 0 ? last : 0;
  }
  end_with(sum, 3);
}

static void first_region(void)
{
  begin();
#pragma omp parallel
  scale_work(100);
  end(1);
}

static void growth(void)
{
#pragma omp parallel num_threads(n > 1 ? n / 2 : 1)
  scale_work(100);
  begin();
#pragma omp parallel
  scale_work(100);
  end(1);
}

static void nested(int rounds)
{
  int outer = outer_of(), inner = n / outer;
  omp_set_max_active_levels(2);
  TIMES(rounds)
  {
#pragma omp parallel num_threads(outer)
    {
#pragma omp parallel num_threads(inner)
      scale_work(100);
    }
  }
}

static void nested_first(void)
{
  begin();
  nested(1);
  end(1);
}

static void nested_hot(void)
{
  nested(3);
  begin();
  nested(4);
  end(4);
}

const struct row team_rows[] = {
  ROW("fork", fork_join, "a region", "fork and join, hot, 100 ns inside"),
  ROW("asleep", asleep, "a region", "all asleep: from the fork to the last thread's begin"),
  COLD_ROW("first", first_region, "the region", "the first region of the process"),
  COLD_ROW("growth", growth, "the region", "a region of n threads after regions of n / 2"),
  COLD_ROW("nested-first", nested_first, "the round", "nested teams, the first time"),
  ROW("nested-hot", nested_hot, "a round", "nested teams, hot"),
  {0}};
