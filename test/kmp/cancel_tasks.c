/* cancel taskgroup in Clang's code: tasks that have not begun must not run, tasks that have begun end at their
   cancellation point, and the rest of the team goes on; also untied and detached tasks (5.2, 11.2, 11.3).
   env: OMP_CANCELLATION=true */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

static int group(void)
{
  atomic_int after = 0, began = 0;
  int outside = 0;
#pragma omp task shared(outside)
  outside = 1;
#pragma omp taskgroup
  {
#pragma omp task shared(after, began)
    {
      atomic_fetch_add(&began, 1);
#pragma omp cancel taskgroup
      atomic_fetch_add(&after, 1);
    }
#pragma omp taskwait
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(after)
      atomic_fetch_add(&after, 1);
#pragma omp task untied shared(after)
      {
#pragma omp taskyield
        atomic_fetch_add(&after, 1);
      }
#pragma omp task if (0) shared(began)
      atomic_fetch_add(&began, 1); /* undeferred: it may run or not */
    }
#pragma omp taskloop nogroup shared(after)
    for (int i = 0; i < 100; i++)
      atomic_fetch_add(&after, 1);
  }
#pragma omp taskwait
  return atomic_load(&after) == 0 && atomic_load(&began) >= 1 && outside == 1;
}

/* A search: the first task that finds the number cancels the others.  */
static int search(int wanted)
{
  atomic_int found = -1, late = 0;
#pragma omp taskgroup
  for (int i = 0; i < 400; i++) {
#pragma omp task firstprivate(i) shared(found, late)
    {
#pragma omp cancellation point taskgroup
      if (i == wanted) {
        atomic_store(&found, i);
#pragma omp cancel taskgroup
        atomic_fetch_add(&late, 1);
      }
    }
  }
  return atomic_load(&found) == wanted && atomic_load(&late) == 0;
}

/* The region is cancelled with tasks of all kinds in it.  */
static int region(int threads)
{
  atomic_int after = 0;
#pragma omp parallel num_threads(threads)
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(after) untied
      {
#pragma omp taskyield
        atomic_fetch_add(&after, 0);
      }
    }
#pragma omp cancel parallel
    atomic_fetch_add(&after, 1);
  }
  return atomic_load(&after) == 0;
}

int main(void)
{
  for (int r = 0; r < 60; r++) {
    int g = 0, s = 0;
#pragma omp parallel num_threads(1 + r % 4)
    {
#pragma omp single
      g = group();
#pragma omp single
      s = search(r * 5);
    }
    if (!g || !s || !region(1 + r % 4)) {
      printf("round %d: group %d search %d\n", r, g, s);
      return 1;
    }
  }
  return 0;
}
