/* Forms of tasks: trees, loops, dependences, groups.  */
#include "rows.h"
#include "by_one.h"

static long fib(int k)
{
  long a, b;
  if (k < 2)
    return k;
#pragma omp task shared(a)
  a = fib(k - 1);
  b = fib(k - 2);
#pragma omp taskwait
  return a + b;
}

static void fib_18(void)
{
  long f = 0;
  begin();
  BY_ONE(f = fib(18));
  end(4180);
  expect(f == 2584);
}

static void loop_of_tasks(void)
{
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 20 * n; i++)
    scale_work(1000);
}

static void taskloop(void)
{
  begin();
  BY_ONE(loop_of_tasks());
  end(20);
}

static void make_chains(void)
{
  for (int r = 0; r < 10; r++)
    for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : of[i])
      scale_work(1000);
    }
}

static void chains(void)
{
  begin();
  BY_ONE(make_chains());
  end(10);
}

static void tree_of(int leaves)
{
  if (leaves == 1) {
    scale_work(1000);
    return;
  }
#pragma omp task
  tree_of(leaves / 2);
#pragma omp task
  tree_of(leaves - leaves / 2);
#pragma omp taskwait
}

static void tree(void)
{
  begin();
  BY_ONE(tree_of(16 * n));
  end(16);
}

static void tree_join(void)
{
  begin();
#pragma omp parallel
#pragma omp single nowait
  tree_of(16 * n);
  end(16);
}

static void make_groups(void)
{
  TIMES(8)
  {
#pragma omp taskgroup
    for (int i = 0; i < n; i++) {
#pragma omp task
      scale_work(1000);
    }
  }
}

static void groups(void)
{
  begin();
  BY_ONE(make_groups());
  end(8);
}

const struct row task_form_rows[] = {
  ROW("fib", fib_18, "a task", "fib(18), a task for each call"),
  ROW("taskloop", taskloop, "a task of each", "taskloop, 20 tasks of 1 us for each thread"),
  ROW("chains", chains, "a task of each", "n chains of dependent tasks of 1 us"),
  ROW("tree", tree, "a leaf of each", "a tree with taskwait, leaves of 1 us, at a barrier"),
  ROW("tree-join", tree_join, "a leaf of each", "the same, at the join"),
  ROW("taskgroup", groups, "a group", "groups of n tasks of 1 us, one after the other"),
  {0}};
