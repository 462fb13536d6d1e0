/* taskloop: every iteration once, grainsize and num_tasks respected, bounds at the limits of the type
   (5.2, 12.6).  */
#include <limits.h>
#include <omp.h>

int main(void)
{
  static int hits[1000];
  int tasks = 0, wrong = 0, edge = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskloop grainsize(7)
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
      hits[i]++;
    }
#pragma omp taskloop num_tasks(11) shared(tasks)
    for (int i = 0; i < 11; i++) {
#pragma omp atomic
      tasks++;
    }
#pragma omp taskloop shared(edge)
    for (unsigned long long i = ULLONG_MAX - 9; i < ULLONG_MAX; i += 3) {
#pragma omp atomic
      edge++;
    }
#pragma omp taskloop shared(edge)
    for (long i = LONG_MIN + 5; i > LONG_MIN; i -= 2) {
#pragma omp atomic
      edge += 10;
    }
  }
  for (int i = 0; i < 1000; i++)
    wrong += hits[i] != 1;
  return wrong != 0 || tasks != 11 || edge != 33;
}
