/* Taskloops that several threads divide among themselves, and what stands around them and inside: taskwait after nogroup, taskgroups,
   tasks that bodies leave behind, nested loops, deep ones, reductions, priorities, final, ICVs, cancellation (5.2, 2.4, 5.5.9, 11.3,
   12.4, 12.6, 15.5).
   env: OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=9 */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4000 };
static atomic_int hits[MOST];
static atomic_int wrong;

static void check(int good, const char *what)
{
  if (!good) {
    printf("%s, %d threads\n", what, omp_get_num_threads());
    wrong++;
  }
}

static void begin(void)
{
  for (int i = 0; i < MOST; i++)
    hits[i] = 0;
}

static void check_hits(int n, int times, const char *what)
{
  int bad = 0;
  for (int i = 0; i < MOST; i++)
    bad += hits[i] != (i < n ? times : 0);
  check(bad == 0, what);
}

/* --------------------------------------------------------- what waits for a loop's tasks */

static void sizes(void)
{
  for (int n = 0; n < 80; n++) {
    begin();
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < n; i++)
      hits[i]++;
    check_hits(n, 1, "few tasks");
    begin();
#pragma omp taskloop num_tasks(MOST)
    for (int i = n - 1; i >= 0; i--)
      hits[i]++;
    check_hits(n, 1, "more tasks than iterations");
  }
}

static void waits_in_group(int loops, int n)
{
  begin();
#pragma omp taskgroup
  {
    for (int k = 0; k < loops; k++) {
#pragma omp taskloop nogroup num_tasks(n)
      for (int i = 0; i < n; i++)
        hits[i]++;
    }
#pragma omp taskwait
    check_hits(n, loops, "taskwait after nogroup");
#pragma omp taskloop nogroup num_tasks(n)
    for (int i = 0; i < n; i++)
      hits[i]++;
#pragma omp taskgroup
    {
#pragma omp taskwait
      check_hits(n, loops + 1, "taskwait in a group inside");
    }
#pragma omp taskloop nogroup num_tasks(n)
    for (int i = 0; i < n; i++)
      hits[i]++;
  }
  check_hits(n, loops + 2, "the end of the group");
}

static void waits_without_group(int n)
{
  begin();
#pragma omp taskloop nogroup grainsize(1)
  for (int i = 0; i < n; i++)
    hits[i]++;
#pragma omp taskwait
  check_hits(n, 1, "taskwait without a group");
}

/* Whatever the loop's tasks leave behind belongs to the loop's group.  */
static void children_left(int n)
{
  begin();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
#pragma omp task
    {
#pragma omp task
      hits[i]++;
    }
  }
  check_hits(n, 1, "children of the loop's tasks");
}

static void children_awaited(int n)
{
  begin();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
    int done = 0;
    for (int k = 0; k < 3; k++) {
#pragma omp task shared(done)
#pragma omp atomic
      done++;
    }
#pragma omp taskwait
    check(done == 3, "taskwait in a loop's task");
    hits[i]++;
  }
  check_hits(n, 1, "tasks that wait");
}

static void nested(int n)
{
  begin();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
#pragma omp taskloop grainsize(1)
    for (int k = 0; k < n; k++) {
#pragma omp taskloop num_tasks(3)
      for (int l = 0; l < n; l++)
        hits[(i * n + k) * n + l]++;
    }
    for (int k = 0; k < n * n; k++)
      check(hits[i * n * n + k] == 1, "the end of a nested loop");
  }
  check_hits(n * n * n, 1, "nested loops");
}

static void deep(int left)
{
  if (left < 0)
    return;
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 3; i++) {
    hits[left]++;
    if (i == left % 3)
      deep(left - 1);
  }
}

/* ------------------------------------------------------------------------- clauses */

static void reductions(int n)
{
  long sum = 100, inner = 7;
#pragma omp taskgroup task_reduction(+ : inner)
  {
#pragma omp taskloop reduction(+ : sum) in_reduction(+ : inner) grainsize(1)
    for (int i = 0; i < n; i++) {
      sum += i;
      inner += 2 * i;
#pragma omp task in_reduction(+ : sum)
      sum += 1000;
    }
  }
  check(sum == 100 + 1000L * n + (long)n * (n - 1) / 2, "reduction");
  check(inner == 7 + (long)n * (n - 1), "in_reduction");
}

static void clauses(int n)
{
  int last = -1;
  begin();
#pragma omp taskloop priority(5) grainsize(1)
  for (int i = 0; i < n; i++)
    hits[i]++;
  check_hits(n, 1, "priority");
#pragma omp taskloop lastprivate(last) grainsize(1)
  for (int i = 0; i < n; i++)
    last = i;
  check(last == n - 1, "lastprivate");
#pragma omp taskloop grainsize(1) final(n > 1)
  for (int i = 0; i < n; i++)
    check(omp_in_final() == (n > 1), "final");
  int creator = omp_get_thread_num();
#pragma omp taskloop grainsize(1) if (n == 1)
  for (int i = 0; i < n; i++)
    check(n == 1 || omp_get_thread_num() == creator, "if");
#pragma omp taskloop grainsize(1) untied mergeable
  for (int i = 0; i < n; i++) {
    hits[i]++;
#pragma omp taskyield
    hits[i]++;
  }
  check_hits(n, 3, "untied");
}

/* Ready tasks with a priority, while threads are busy with ranges.  */
static void priorities_inside(int n)
{
  begin();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
#pragma omp task priority(i % 10)
    hits[i]++;
  }
  check_hits(n, 1, "tasks with a priority in a loop");
}

static void icvs(int n)
{
  int before = omp_get_max_threads();
  omp_set_num_threads(11);
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < n; i++) {
    check(omp_get_max_threads() == 11, "a task inherits");
    omp_set_num_threads(20 + i);
#pragma omp taskyield
    check(omp_get_max_threads() == 20 + i, "a task changes its own");
#pragma omp task
    check(omp_get_max_threads() == 20 + i, "its child inherits");
  }
  check(omp_get_max_threads() == 11, "the creator keeps its own");
  omp_set_num_threads(before);
}

/* ---------------------------------------------------------------------- cancellation */

/* A thread that has cancelled a group begins no task of it, and the rest of the team goes on.  */
static void cancelled(int n, int when)
{
  static _Thread_local int cancels;
  static int number;
  int own = ++number;
  atomic_int executed = 0;
#pragma omp taskloop grainsize(1) firstprivate(own) shared(executed)
  for (int i = 0; i < n; i++) {
    check(cancels != own, "a task of a cancelled group");
    if (atomic_fetch_add(&executed, 1) == when) {
      cancels = own;
#pragma omp cancel taskgroup
    }
  }
  check(executed <= n && (when >= n || executed > when), "executed before it was cancelled");
  begin();
#pragma omp taskloop
  for (int i = 0; i < n; i++)
    hits[i]++;
  check_hits(n, 1, "after a cancelled loop");
}

static void cancelled_before(int n)
{
  atomic_int executed = 0;
#pragma omp taskgroup
  {
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
#pragma omp taskloop nogroup grainsize(1) shared(executed)
    for (int i = 0; i < n; i++)
      executed++;
  }
  check(executed == 0, "a loop in a cancelled group");
}

/* --------------------------------------------------------------------------------- all */

static void all(void)
{
  sizes();
  waits_in_group(1, 2);
  waits_in_group(40, 50);
  waits_in_group(3, 300);
  waits_without_group(3);
  waits_without_group(200);
  for (int n = 1; n < 400; n += n < 4 ? 1 : 131) {
    children_left(n);
    children_awaited(n);
    reductions(n);
    clauses(n);
    priorities_inside(n);
    icvs(n);
    cancelled(n, 0);
    cancelled(n, n / 2);
    cancelled_before(n);
  }
  nested(3);
  nested(15);
  begin();
  deep(500);
  check_hits(501, 3, "deep loops");
}

int main(void)
{
  for (int threads = 1; threads < 10; threads += threads < 4 ? 1 : 3) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp single
      all();
#pragma omp single
      {
#pragma omp task
        all();
      }
    }
  }
  return wrong != 0;
}
