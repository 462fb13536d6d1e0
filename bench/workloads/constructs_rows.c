/* The rows: each construct in a loop that checks its results.  The comment of each row says
   what an operation is.  */
#include "constructs_rows.h"

#include <omp.h>
#include <string.h>

int threads;

/* An empty region; the row `reduction` checks that regions have their threads.  */
static long fork_join(long n)
{
  for (long i = 0; i < n; i++) {
#pragma omp parallel
    __asm__ volatile("");
  }
  return n;
}

static long barrier(long n)
{
  long late = 0;
  static _Atomic long arrived; /* read once in 64 barriers */
  arrived = 0;
#pragma omp parallel reduction(+ : late)
  {
    for (long i = 0; i < n; i++) {
      if (i % 64 == 0)
        arrived++;
#pragma omp barrier
      if (i % 64 == 0)
        late += arrived < (i / 64 + 1) * threads;
    }
  }
  return n - late;
}

/* A region with a static loop of 64 iterations.  */
static long for_static(long n)
{
  static long cells[64];
  memset(cells, 0, sizeof cells);
  for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(static)
    for (int k = 0; k < 64; k++)
      cells[k]++;
  }
  return cells[0] == cells[63] ? cells[31] : -1;
}

/* One iteration of a dynamic loop.  */
static long dynamic_1(long n)
{
  long seen = 0;
#pragma omp parallel reduction(+ : seen)
  {
#pragma omp for schedule(dynamic, 1)
    for (long i = 0; i < n; i++)
      seen++;
  }
  return seen;
}

/* One iteration of a dynamic loop in which each thread gets its iterations in increasing order.  */
static long monotonic_1(long n)
{
  long seen = 0, wrong = 0;
#pragma omp parallel reduction(+ : seen, wrong)
  {
    long last = -1;
#pragma omp for schedule(monotonic : dynamic, 1)
    for (long i = 0; i < n; i++) {
      seen++;
      wrong += i <= last;
      last = i;
    }
  }
  return seen - wrong;
}

static long single(long n)
{
  static long seen;
  seen = 0;
#pragma omp parallel
  {
    for (long i = 0; i < n; i++) {
#pragma omp single
      seen++;
    }
  }
  return seen;
}

/* A region with a reduction.  */
static long reduction(long n)
{
  long total = 0;
  for (long i = 0; i < n; i++) {
    long seen = 0;
#pragma omp parallel reduction(+ : seen)
    seen++;
    total += seen == threads;
  }
  return total;
}

/* One entry; entries of all threads count.  */
static long critical(long n)
{
  static long seen;
  seen = 0;
  long each = n / threads;
#pragma omp parallel
  {
    for (long i = 0; i < each; i++) {
#pragma omp critical
      seen++;
    }
  }
  return seen == each * threads ? n : seen;
}

/* A task; one thread creates all of them.  */
static long task_one(long n)
{
  static long cells[256][16];
  memset(cells, 0, sizeof cells);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
#pragma omp task
    cells[omp_get_thread_num()][0]++;
  }
  long seen = 0;
  for (int k = 0; k < 256; k++)
    seen += cells[k][0];
  return seen;
}

/* A task; every thread creates some, and all of them count.  */
static long task_all(long n)
{
  long seen = 0, each = n / threads;
  static long cells[256][16];
  memset(cells, 0, sizeof cells);
#pragma omp parallel
  for (long i = 0; i < each; i++) {
#pragma omp task
    cells[omp_get_thread_num()][0]++;
  }
  for (int k = 0; k < 256; k++)
    seen += cells[k][0];
  return seen == each * threads ? n : seen;
}

static long fib(int n)
{
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

/* One of the 57312 tasks of fib(22).  */
enum { FIB = 22, FIB_TASKS = 57312, FIB_VALUE = 17711 };

static long fib_22(long n)
{
  long seen = 0;
  for (long i = 0; i < n; i += FIB_TASKS) {
    long value = 0;
#pragma omp parallel
#pragma omp single
    value = fib(FIB);
    seen += value == FIB_VALUE ? FIB_TASKS : 0;
  }
  return seen;
}

/* One task of a chain, in which each task depends on the previous one.  */
static long task_depend(long n)
{
  static long value;
  value = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
#pragma omp task depend(inout : value)
    value++;
  }
  return value;
}

/* One task of a taskloop.  */
static long taskloop(long n)
{
  static long cells[256][16];
  memset(cells, 0, sizeof cells);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(1)
    for (long i = 0; i < n; i++)
      cells[omp_get_thread_num()][0]++;
  }
  long seen = 0;
  for (int k = 0; k < 256; k++)
    seen += cells[k][0];
  return seen;
}

/* An iteration with an ordered block; the row checks that iterations come in order.  */
static long ordered(long n)
{
  static long seen;
  seen = 0;
#pragma omp parallel
  {
#pragma omp for ordered schedule(static, 1)
    for (long i = 0; i < n; i++) {
#pragma omp ordered
      seen += seen == i && omp_get_thread_num() == i % threads;
    }
  }
  return seen;
}

/* A region of two whose threads each run a region of two.  */
static long nested(long n)
{
  long seen = 0;
  for (long i = 0; i < n; i++) {
    int inner[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
      int me = omp_get_thread_num();
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() == 0)
        inner[me] = omp_get_num_threads();
    }
    seen += inner[0] + inner[1] >= 2;
  }
  return seen;
}

const struct row rows[] = {
    {"fork/join", fork_join, 1, 0},   {"barrier", barrier, 1, 0},
    {"for static", for_static, 1, 0}, {"dynamic,1", dynamic_1, 1, 0},
    {"monotonic,1", monotonic_1, 1, 0}, {"single", single, 1, 0},
    {"reduction", reduction, 1, 0},   {"critical", critical, 64, 0},
    {"task, one producer", task_one, 1, 0},
    {"task, all produce", task_all, 64, 0}, {"fib(22)", fib_22, FIB_TASKS, 0},
    {"task depend", task_depend, 1, 0}, {"taskloop", taskloop, 1, 0},
    {"ordered", ordered, 1, 0},       {"nested 2x2", nested, 1, 2},
};

const int row_count = sizeof rows / sizeof *rows;
