/* Loops of each schedule: fine chunks, a chunk for each thread, loops in a row.  */
#include "rows.h"

/* Each thread counts the iterations that it executes.  */
static _Thread_local int made;

static void expect_made(int whole)
{
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    sum += made;
    made = 0;
  }
  expect(sum == whole);
}

/* The second of two runs counts: a runtime may learn of what kind a loop is.  */
#define FINE(name, schedule, ns)                                                                                       \
  static void name(void)                                                                                               \
  {                                                                                                                    \
    TIMES(2)                                                                                                           \
    {                                                                                                                  \
      begin();                                                                                                         \
      for (int r = 0; r < 4; r++) {                                                                                    \
        _Pragma(schedule) for (int i = 0; i < 100 * n; i++)                                                            \
        {                                                                                                              \
          scale_work(ns);                                                                                              \
          made++;                                                                                                      \
        }                                                                                                              \
      }                                                                                                                \
      end(400);                                                                                                        \
      expect_made(400 * n);                                                                                            \
    }                                                                                                                  \
  }
FINE(fine_static, "omp parallel for schedule(static, 1)", 200)
FINE(fine_dynamic, "omp parallel for schedule(dynamic)", 200)
FINE(fine_monotonic, "omp parallel for schedule(monotonic : dynamic)", 200)
FINE(fine_guided, "omp parallel for schedule(guided)", 200)
FINE(long_dynamic, "omp parallel for schedule(dynamic)", 10000)
FINE(long_monotonic, "omp parallel for schedule(monotonic : dynamic)", 10000)
FINE(long_guided, "omp parallel for schedule(guided)", 10000)

#define COARSE(name, schedule)                                                                                         \
  static void name(void)                                                                                               \
  {                                                                                                                    \
    begin();                                                                                                           \
    TIMES(3)                                                                                                           \
    {                                                                                                                  \
      _Pragma(schedule) for (int i = 0; i < n; i++) scale_work(1e6);                                                   \
    }                                                                                                                  \
    end(3);                                                                                                            \
  }
COARSE(coarse_static, "omp parallel for schedule(static)")
COARSE(coarse_dynamic, "omp parallel for schedule(dynamic)")
COARSE(coarse_monotonic, "omp parallel for schedule(monotonic : dynamic)")
COARSE(coarse_guided, "omp parallel for schedule(guided)")

static void loops_in_a_row(void)
{
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp master
    begin();
    TIMES(64)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < n; i++)
        scale_work(200);
    }
#pragma omp master
    end(64);
  }
}

const struct row loop_rows[] = {
  ROW("static", fine_static, "a chunk of each", "static, chunks of 1 of 200 ns, a hundred for each thread"),
  ROW("dynamic", fine_dynamic, "a chunk of each", "dynamic, chunks of 200 ns"),
  ROW("monotonic", fine_monotonic, "a chunk of each", "monotonic dynamic, chunks of 200 ns"),
  ROW("guided", fine_guided, "an iteration of each", "guided, iterations of 200 ns"),
  ROW("dynamic-10us", long_dynamic, "a chunk of each", "dynamic, chunks of 10 us"),
  ROW("monotonic-10us", long_monotonic, "a chunk of each", "monotonic dynamic, chunks of 10 us"),
  ROW("guided-10us", long_guided, "an iteration of each", "guided, iterations of 10 us"),
  ROW("coarse-static", coarse_static, "a loop", "static, n iterations of 1 ms"),
  ROW("coarse-dynamic", coarse_dynamic, "a loop", "dynamic, n chunks of 1 ms"),
  ROW("coarse-monotonic", coarse_monotonic, "a loop", "monotonic dynamic, n chunks of 1 ms"),
  ROW("coarse-guided", coarse_guided, "a loop", "guided, n iterations of 1 ms"),
  ROW("loops", loops_in_a_row, "a loop", "dynamic loops of n chunks of 200 ns in a row"),
  {0}};
