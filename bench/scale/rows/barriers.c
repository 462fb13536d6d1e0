/* Barriers: all come at the same time, or some are late.  */
#include "rows.h"

static void barrier(void)
{
#pragma omp parallel
  {
    TIMES(24)
    {
      if (r_ == 4) {
#pragma omp master
        begin();
      }
#pragma omp barrier
    }
#pragma omp master
    end(20);
  }
}

/* Who waits for long looks at a clock now and then, and such a look delays the next one at the barrier.  So the thread is late by another
   time in each turn: 1 ms takes 15 looks at the clock exactly.  */
enum { LATE = 7 };
static const double later = 0.011;

void late_by(double ns, int other)
{
  double all = 0, late = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    TIMES(LATE)
    {
      double time = ns * (1 + later * r_);
#pragma omp barrier
      if (me == 0) {
        if (r_ == 1)
          begin();
        scale_work(time);
        late = scale_now();
      } else if (me == other)
        scale_work(time - 2000);
#pragma omp barrier
      of[me].left = scale_now();
#pragma omp barrier
      if (me == 0 && r_ > 0) {
        double last = 0;
        for (int i = 0; i < n; i++)
          last = of[i].left > last ? of[i].left : last;
        all += last - late;
      }
    }
  }
  end_with(all, LATE - 1);
}

static void late(void) { late_by(1e6, -1); }
static void two_late(void) { late_by(1e6, n / 2); }
static void a_little_late(void) { late_by(3e4, -1); }

const struct row barrier_rows[] = {
  ROW("barrier", barrier, "a barrier", "barriers in a row"),
  ROW("late", late, "a barrier", "one thread is late by 1 ms: from its arrival to the last departure"),
  ROW("late-two", two_late, "a barrier", "the same, a second thread is late by 2 us less"),
  ROW("late-30us", a_little_late, "a barrier", "one thread is late by 30 us: from its arrival to the last departure"),
  {0}};
