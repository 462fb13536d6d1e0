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

static void critical(void)
{
  int entries = 0;
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp master
    begin();
    TIMES(20)
    {
#pragma omp critical
      {
        entries++;
        scale_work(50);
      }
    }
#pragma omp barrier
#pragma omp master
    end(20 * n);
  }
  expect(entries == 20 * n);
}

const struct row shared_rows[] = {
  ROW("single", single, "a construct", "single of 20 ns, with its barrier"),
  ROW("sections", sections, "a construct", "4 sections of 200 ns, with their barrier"),
  ROW("critical", critical, "an entry", "critical sections of 50 ns, all threads at once"),
  {0}};
