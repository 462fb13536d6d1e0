/* taskloop in Clang's code: every iteration once, lastprivate, reductions, nogroup, if, sizes, loops at the limits
   of their types; and strict, by direct call (5.2, 12.6).  */
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 1000 };
static int wrong, hits[N];

static void check(int good, const char *what)
{
  if (!good) {
    printf("%s\n", what);
#pragma omp atomic
    wrong++;
  }
}

static void each_once(const char *what)
{
  for (int i = 0; i < N; i++) {
    if (hits[i] != 1) {
      check(0, what);
      break;
    }
  }
  memset(hits, 0, sizeof hits);
}

static void hit(int i)
{
#pragma omp atomic
  hits[i]++;
}

static void clauses(void)
{
  int last = 0, tasks = 0;
  long sum = 0, product_like = 1;
#pragma omp taskloop grainsize(7) lastprivate(last)
  for (int i = 0; i < N; i++) {
    hit(i);
    last = i * 2;
  }
  each_once("grainsize");
  check(last == (N - 1) * 2, "lastprivate");
#pragma omp taskloop num_tasks(11) shared(tasks)
  for (int i = 0; i < 11; i++) {
#pragma omp atomic
    tasks++;
  }
  check(tasks == 11, "num_tasks");
#pragma omp taskloop reduction(+ : sum) reduction(max : product_like)
  for (int i = 0; i < N; i++) {
    hit(i);
    sum += i;
    product_like = i > product_like ? i : product_like;
  }
  each_once("reduction");
  check(sum == (long)N * (N - 1) / 2 && product_like == N - 1, "sum and maximum");
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < N; i++)
      hit(i);
  }
  each_once("nogroup");
  int here = omp_get_thread_num(), moved = 0;
#pragma omp taskloop if (0) firstprivate(here) shared(moved)
  for (int i = 0; i < N; i++) {
    hit(i);
    if (omp_get_thread_num() != here) {
#pragma omp atomic
      moved++;
    }
  }
  each_once("if");
  check(moved == 0, "if(0) stays with its creator");
#pragma omp taskloop collapse(2) untied priority(3)
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 50; k++)
      hit(i * 50 + k);
  each_once("collapse");
}

static void ends_of_types(void)
{
  int count = 0, none = 0;
  volatile int zero = 0;
#pragma omp taskloop shared(count)
  for (unsigned long long i = ULLONG_MAX - 9; i < ULLONG_MAX; i += 3) {
#pragma omp atomic
    count++;
  }
#pragma omp taskloop shared(count)
  for (long i = LONG_MIN + 5; i > LONG_MIN; i -= 2) {
#pragma omp atomic
    count += 10;
  }
#pragma omp taskloop shared(count) num_tasks(3)
  for (int i = 5; i >= -5; i -= 5) {
#pragma omp atomic
    count += 100;
  }
#pragma omp taskloop shared(none)
  for (int i = 10; i < zero; i += 3) {
#pragma omp atomic
    none++;
  }
  check(count == 333 && none == 0, "ends of types");
}

/* ------------------------------------------------------------------ by direct call */

struct block {
  void *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *data1, *data2;
  uint64_t lower, upper;
  int64_t stride;
  int32_t last;
  void *reductions;
  int chunk[30]; /* larger than the runtime's own room, so it must allocate */
};
struct block *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t, int32_t (*)(int32_t, struct block *));
void __kmpc_taskloop_5(void *, int32_t, struct block *, int32_t, uint64_t *, uint64_t *, int64_t, int32_t, int32_t,
                       uint64_t, int32_t, void (*)(struct block *, struct block *, int32_t));

static int chunks, odd_chunks, lasts;

static int32_t body(int32_t gtid, struct block *b)
{
  (void)gtid;
  int *shared = *(int **)b->shareds, length = 0;
  for (int64_t i = (int64_t)b->lower; i <= (int64_t)b->upper; i += b->stride, length++) {
#pragma omp atomic
    shared[i]++;
  }
#pragma omp atomic
  chunks++;
  if (length != b->chunk[29] && !b->last) {
#pragma omp atomic
    odd_chunks++;
  }
  if (b->last) {
#pragma omp atomic
    lasts++;
  }
  return 0;
}

static void duplicate(struct block *task, struct block *pattern, int32_t last)
{
  check(pattern->chunk[29] == task->chunk[29] && task->shareds != pattern->shareds, "copy");
  task->last = last;
}

static void strict(int size, int expected_chunks)
{
  struct block *block = __kmpc_omp_task_alloc(NULL, 0, 1, sizeof *block, sizeof(int *), body);
  *(int **)block->shareds = hits;
  block->lower = 0;
  block->upper = N - 1;
  block->stride = 1;
  block->last = 0;
  block->chunk[29] = size;
  chunks = odd_chunks = lasts = 0;
  __kmpc_taskloop_5(NULL, 0, block, 1, &block->lower, &block->upper, 1, 0, 1, (uint64_t)size, 1, duplicate);
  each_once("strict");
  check(chunks == expected_chunks && odd_chunks == 0 && lasts == 1, "strict grainsize");
}

int main(void)
{
  for (int r = 0; r < 20 && wrong == 0; r++) {
#pragma omp parallel num_threads(1 + r % 4)
#pragma omp single
    {
      clauses();
      ends_of_types();
      strict(7, 143);
      strict(N, 1);
      strict(1, N);
    }
  }
  return wrong != 0;
}
