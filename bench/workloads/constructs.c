/* What each construct costs.  Compiled once by GCC, for the runtimes that stand
   behind libgomp.so.1, and once by Clang, for libomp's own entry points.

   usage: constructs THREADS [ROW...]     prints "row: ns-per-operation..." lines
   Every sample takes at least SAMPLE_NS, or does MOST operations; what an operation is, is said at the row.
   Each row checks what it computed: a row that lost work says so, and no time.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 5, SAMPLE_NS = 4000000, MOST = 1 << 28 };

static int threads;

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A result that the compiler must have, on a line of its own.  */
static struct { _Alignas(128) volatile long value; } sink;

/* --------------------------------------------------------------------- rows

   Each returns how much work was seen done; n operations make n times `work`.  */

/* An empty region; that regions have their threads is what the row reduction checks. */
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
  static _Atomic long arrived; /* looked at once in 64 barriers */
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

/* A region that is a static loop of 64 iterations.  */
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

/* Entries of all threads together.  */
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

/* A task, of one producer.  */
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

/* A task, where every thread produces; tasks of all threads together.  */
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

/* A task of fib(22), which makes 57312 of them.  */
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

/* A task of a chain: each depends on the one before.  */
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

/* A task of a taskloop.  */
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

/* An iteration with an ordered block; iterations are dealt in turn, which is checked. */
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

static const struct row {
  const char *name;
  long (*run)(long n);
  long unit; /* operations come in multiples of this */
  int only;  /* thread count for which the row makes sense; 0: any */
} rows[] = {
    {"fork/join", fork_join, 1, 0},   {"barrier", barrier, 1, 0},
    {"for static", for_static, 1, 0}, {"dynamic,1", dynamic_1, 1, 0},
    {"single", single, 1, 0},         {"reduction", reduction, 1, 0},
    {"critical", critical, 64, 0},    {"task, one producer", task_one, 1, 0},
    {"task, all produce", task_all, 64, 0}, {"fib(22)", fib_22, FIB_TASKS, 0},
    {"task depend", task_depend, 1, 0}, {"taskloop", taskloop, 1, 0},
    {"ordered", ordered, 1, 0},       {"nested 2x2", nested, 1, 2},
};

/* ----------------------------------------------------------------- measuring */

/* Negative: it lost work, and has said so.  */
static double sample(const struct row *row, long n)
{
  double start = now_ns();
  long seen = row->run(n);
  double time = now_ns() - start;
  sink.value = seen;
  if (seen != n) {
    printf("%s: wrong, %ld of %ld operations\n", row->name, seen, n);
    return -1;
  }
  return time;
}

/* The shorter of two: one may have been interrupted, and say that few are enough. */
static double sample_twice(const struct row *row, long n)
{
  double one = sample(row, n), two = sample(row, n);
  return one < two ? one : two;
}

static void measure(const struct row *row)
{
  long n = row->unit;
  double time = sample_twice(row, n);
  while (time >= 0 && time < SAMPLE_NS && n < MOST) {
    double factor = time > 0 ? SAMPLE_NS / time * 1.2 : 100;
    double more = (double)n * (factor > 100 ? 100 : factor);
    n = ((long)(more < MOST ? more : MOST) / row->unit + 1) * row->unit;
    time = sample_twice(row, n);
  }
  if (time < 0)
    return;
  printf("%s:", row->name);
  for (int i = 0; i < SAMPLES; i++)
    printf(" %.2f", sample(row, n) / (double)n);
  printf("\n");
  fflush(stdout);
}

static int chosen(const char *name, char **names, int count)
{
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return 1;
  return count == 0;
}

int main(int argc, char **argv)
{
  threads = argc > 1 ? atoi(argv[1]) : 0;
  if (threads < 1 || threads > 256) {
    fprintf(stderr, "usage: %s THREADS [ROW...], THREADS from 1 to 256\n", argv[0]);
    return 2;
  }
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  omp_set_max_active_levels(2);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (chosen(rows[i].name, argv + 2, argc - 2) &&
        (rows[i].only == 0 || rows[i].only == threads))
      measure(&rows[i]);
  return 0;
}
