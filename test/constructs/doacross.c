/* Doacross loops: each iteration sees its predecessors' results, for every
   schedule and in two dimensions (5.2, 15.9.7).  */
#include <omp.h>

enum { N = 60, M = 17 };
static unsigned grid[N][M];

static unsigned value(int i, int j)
{
  return (i ? grid[i - 1][j] : 0) + (j ? grid[i][j - 1] : 0) + 1;
}

static void run(void)
{
#pragma omp parallel for num_threads(4) ordered(2) schedule(runtime)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      grid[i][j] = value(i, j);
#pragma omp ordered depend(source)
    }
}

static unsigned sum_and_clear(void)
{
  unsigned s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      s = s * 31 + grid[i][j];
      grid[i][j] = 0;
    }
  return s;
}

int main(void)
{
  static const struct {
    omp_sched_t kind;
    int chunk;
  } schedules[] = {{omp_sched_static, 0}, {omp_sched_static, 3}, {omp_sched_dynamic, 1},
                   {omp_sched_dynamic, 7}, {omp_sched_guided, 1}};
  int wrong = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      grid[i][j] = value(i, j);
  unsigned right = sum_and_clear();
  for (int r = 0; r < 50; r++) {
    omp_set_schedule(schedules[r % 5].kind, schedules[r % 5].chunk);
    run();
    wrong += sum_and_clear() != right;
  }
  return wrong;
}
