/* Iterations in turn.  */
#include "rows.h"

#define ORDERED(name, ns)                                                                                              \
  static void name(void)                                                                                               \
  {                                                                                                                    \
    int next = 0;                                                                                                      \
    begin();                                                                                                           \
    _Pragma("omp parallel for ordered schedule(static, 1)") for (int i = 0; i < 20 * n; i++)                           \
    {                                                                                                                  \
      _Pragma("omp ordered")                                                                                           \
      {                                                                                                                \
        expect(next++ == i);                                                                                           \
        scale_work(ns);                                                                                                \
      }                                                                                                                \
    }                                                                                                                  \
    end(20 * n);                                                                                                       \
  }
ORDERED(ordered, 20)
ORDERED(ordered_2us, 2000)

static void doacross(void)
{
  int next = 0;
  begin();
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 0; i < 20 * n; i++) {
#pragma omp ordered depend(sink : i - 1)
    expect(next++ == i);
    scale_work(20);
#pragma omp ordered depend(source)
  }
  end(20 * n);
}

const struct row turn_rows[] = {
  ROW("ordered", ordered, "an iteration", "ordered of 20 ns, iterations dealt out in turn"),
  ROW("ordered-2us", ordered_2us, "an iteration", "the same, of 2 us"),
  ROW("doacross", doacross, "an iteration", "doacross: each iteration waits for the one before it, 20 ns inside"),
  {0}};
