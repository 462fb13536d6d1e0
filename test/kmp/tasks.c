/* Tasks in Clang's code: recursion, many tasks, large and aligned data, if, final, priorities, and untied
   tasks that are undeferred (5.2, 12.5).
   env: OMP_MAX_TASK_PRIORITY=10 */
#include <omp.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>

static int fib(int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

/* Each task creates the next: bodies must not nest on the stack without limit.  */
static void chain(int n, int *ends)
{
#pragma omp task firstprivate(n)
  if (n > 0)
    chain(n - 1, ends);
  else {
#pragma omp atomic
    ++*ends;
  }
}

struct large {
  int words[500];
};

struct aligned {
  alignas(64) double values[8];
};

static int blocks(void)
{
  struct large large;
  struct aligned aligned;
  int wrong = 0, count = 0;
  for (int i = 0; i < 500; i++)
    large.words[i] = i;
  for (int i = 0; i < 8; i++)
    aligned.values[i] = i;
  for (int t = 0; t < 200; t++) {
    large.words[7] = t;
    aligned.values[3] = t;
#pragma omp task shared(wrong, count) firstprivate(large, aligned, t)
    {
      int bad = large.words[7] != t || large.words[499] != 499 || aligned.values[3] != t || aligned.values[7] != 7 ||
                (uintptr_t)&aligned % 64 != 0;
#pragma omp atomic
      wrong += bad;
#pragma omp atomic
      count++;
      large.words[7] = -1; /* the task's own copy */
    }
  }
#pragma omp taskwait
  return wrong == 0 && count == 200;
}

static int undeferred(void)
{
  int order = 0, good = 1, included = 0;
#pragma omp task if (0) shared(order)
  order = 1;
  good &= order == 1;
#pragma omp task if (0) untied shared(order, included)
  {
    order = 2;
#pragma omp taskyield
#pragma omp task shared(included)
    {
#pragma omp atomic
      included++;
    }
#pragma omp taskwait
    order += included;
  }
  good &= order == 3;
#pragma omp task final(1) shared(order, good)
  {
    int here = 0;
#pragma omp task shared(here, good) untied
    {
#pragma omp taskyield
      here = omp_in_final();
    }
    good &= here == 1; /* an included task has finished */
    order = 4;
  }
#pragma omp taskwait
  return good && order == 4 && !omp_in_final();
}

static int priorities(void)
{
  int count = 0;
  for (int i = 0; i < 100; i++) {
#pragma omp task priority(i % 12) shared(count)
    {
#pragma omp atomic
      count++;
    }
  }
#pragma omp taskwait
  return count == 100;
}

/* More tasks than any table of ready tasks holds.  */
static int many(void)
{
  long sum = 0;
  for (int i = 0; i < 100000; i++) {
#pragma omp task shared(sum) firstprivate(i)
    {
#pragma omp atomic
      sum += i;
    }
  }
#pragma omp taskwait
  return sum == 100000L * 99999 / 2;
}

static int all(int threads)
{
  int f = 0, b = 0, u = 0, p = 0, m = 0, ends = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single nowait
    f = fib(16);
#pragma omp single nowait
    b = blocks();
#pragma omp single nowait
    u = undeferred();
#pragma omp single nowait
    chain(200000, &ends);
#pragma omp single nowait
    p = priorities();
#pragma omp single
    m = many();
  }
  if (f == 987 && b && u && p && m && ends == 1)
    return 1;
  printf("%d threads: fib %d blocks %d undeferred %d priorities %d many %d ends %d\n", threads, f, b, u, p, m, ends);
  return 0;
}

int main(void)
{
  int good = fib(12) == 144 && blocks() && undeferred() && priorities();
  for (int r = 0; r < 12; r++)
    good &= all(1 + r % 5);
  return !good;
}
