/* A loop with one long iteration, or chunk, for each thread: each thread executes one, also that which executes the
   last.  */
#include "meet.h"

#define LOOP(name, clauses, count, body)                                                     \
  static void name(void)                                                                     \
  {                                                                                          \
    _Pragma("omp parallel num_threads(n)") _Pragma(clauses) for (int i = 0; i < count; i++) body; \
  }

LOOP(of_dynamic, "omp for schedule(dynamic)", n, meet())
LOOP(of_two, "omp for schedule(dynamic, 2)", 2 * n, if (i % 2 == 0) meet())
LOOP(with_short_end, "omp for schedule(dynamic, 2)", 2 * n - 1, if (i % 2 == 0) meet())
LOOP(of_monotonic, "omp for schedule(monotonic: dynamic)", n, meet())
LOOP(of_nonmonotonic, "omp for schedule(nonmonotonic: dynamic)", n, meet())
LOOP(of_ordered, "omp for ordered schedule(dynamic)", n, meet())
LOOP(of_guided, "omp for schedule(guided)", n, meet())
LOOP(of_runtime, "omp for schedule(runtime)", n, meet())
LOOP(without_wait, "omp for schedule(dynamic) nowait", n, meet())

static void combined(void)
{
#pragma omp parallel for num_threads(n) schedule(dynamic)
  for (long i = n; i > 0; i--)
    meet();
}

static void unsigned_long(void)
{
#pragma omp parallel for num_threads(n) schedule(dynamic)
  for (unsigned long long i = 0; i < 3ull * n; i += 3)
    meet();
}

static void collapsed(void)
{
#pragma omp parallel for num_threads(n) schedule(dynamic) collapse(2)
  for (int i = 0; i < n / 2; i++)
    for (int k = 0; k < 2; k++)
      meet();
}

static void last_values(void)
{
  int last = -1, number = 0;
#pragma omp parallel for num_threads(n) schedule(dynamic) lastprivate(last) linear(number : 3)
  for (int i = 0; i < n; i++) {
    last = i;
    number += 3;
    meet();
  }
  if (last != n - 1 || number != 3 * n) {
    printf("%d iterations: lastprivate %d, linear %d\n", n, last, number);
    exit(1);
  }
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel for num_threads(n / 2) schedule(dynamic)
  for (int i = 0; i < n / 2; i++)
    meet();
}

int main(void)
{
  const struct meeting meetings[] = {
      {"dynamic", of_dynamic},       {"dynamic, 2", of_two},         {"dynamic, 2, a short last chunk", with_short_end},
      {"monotonic", of_monotonic},   {"nonmonotonic", of_nonmonotonic}, {"ordered", of_ordered},
      {"guided", of_guided},         {"runtime", of_runtime},        {"nowait", without_wait},
      {"combined", combined},        {"unsigned long long", unsigned_long}, {"collapse", collapsed},
      {"lastprivate", last_values},  {"nested", nested},
  };
  meet_in_each(meetings, sizeof meetings / sizeof *meetings, 20);
  return 0;
}
