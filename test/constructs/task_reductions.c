/* Reductions over tasks, of a taskgroup, a parallel and a worksharing construct (5.2, 5.5.9, 5.5.10).  */
#include <omp.h>

static long tree(int depth)
{
  long sum = 1;
  if (depth == 0)
    return sum;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(depth)
    sum += tree(depth - 1);
  }
  return sum;
}

int main(void)
{
  for (int r = 0; r < 20; r++) {
    long t = 0, p = 0, w = 0;
#pragma omp parallel num_threads(4) reduction(task, + : p)
    {
#pragma omp single
      t = tree(5);
      for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : p)
        p += i;
      }
    }
#pragma omp parallel num_threads(3)
#pragma omp for reduction(task, + : w) schedule(dynamic, 2)
    for (int i = 0; i < 50; i++) {
      w++;
#pragma omp task in_reduction(+ : w)
      w += 2;
    }
    if (t != 364 || p != 45 * 4 || w != 150)
      return 1;
  }
  return 0;
}
