/* What one thread of the team does: single, sections, critical.  */
#include "rows.h"

static void single(void)
{
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp master
    begin();
    TIMES(32)
    {
#pragma omp single
      scale_work(20);
    }
#pragma omp master
    end(32);
  }
}

static void sections(void)
{
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp master
    begin();
    TIMES(20)
    {
#pragma omp sections
      {
#pragma omp section
        scale_work(200);
#pragma omp section
        scale_work(200);
#pragma omp section
        scale_work(200);
#pragma omp section
        scale_work(200);
      }
    }
#pragma omp master
    end(20);
  }
}

/* Each thread enters `times` times: until the last one leaves.  `held`, `between`: nanoseconds.  */
static void enter(int times, double held, double between)
{
  int entries = 0;
  double began = 0, left = 0;
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp master
    {
      begin();
      began = scale_now();
    }
    TIMES(times)
    {
#pragma omp critical
      {
        entries++;
        scale_work(held);
        left = scale_now();
      }
      scale_work(between);
    }
#pragma omp barrier
  }
  expect(entries == times * n);
  end_with(left - began, times * n);
}

static void critical(void) { enter(20, 50, 0); }
static void critical_us(void) { enter(12, 1000, 0); }
static void critical_10us(void) { enter(4, 1e4, 0); }
static void critical_apart(void) { enter(12, 50, 1e4); }

static void locks(void)
{
  static struct { omp_lock_t lock; int entries; char pad[120]; } some[64];
  int count = (n + 3) / 4;
  for (int i = 0; i < count; i++)
    omp_init_lock(&some[i].lock), some[i].entries = 0;
#pragma omp parallel
  {
    int mine = omp_get_thread_num() / 4;
#pragma omp barrier
#pragma omp master
    begin();
    TIMES(20)
    {
      omp_set_lock(&some[mine].lock);
      some[mine].entries++;
      scale_work(200);
      omp_unset_lock(&some[mine].lock);
      scale_work(200);
    }
#pragma omp barrier
#pragma omp master
    end(20);
  }
  for (int i = 0; i < count; i++)
    expect(some[i].entries == 20 * (n - 4 * i < 4 ? n - 4 * i : 4));
}

const struct row shared_rows[] = {
  ROW("single", single, "a construct", "single of 20 ns, with its barrier"),
  ROW("sections", sections, "a construct", "4 sections of 200 ns, with their barrier"),
  ROW("critical", critical, "an entry", "critical sections of 50 ns, all threads at once"),
  ROW("critical-1us", critical_us, "an entry", "the same, of 1 us"),
  ROW("critical-10us", critical_10us, "an entry", "the same, of 10 us"),
  ROW("critical-apart", critical_apart, "an entry", "critical sections of 50 ns, 10 us of other work between two of a thread"),
  ROW("locks", locks, "a round", "a lock for each 4 threads, of 200 ns, and 200 ns of other work"),
  {0}};
