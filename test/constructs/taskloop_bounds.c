/* Which iterations the tasks of a taskloop have, by calls as compilers make them: each value is in one task, in as many tasks as the
   clauses say, of the sizes that they say; few, very many, downwards, at the ends of the types, in teams of 1 to 9 threads.  The tasks
   of a loop begin in any order and on any thread (5.2, 12.6).
   link: -ldl */
#include "entry_point.h"

#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

extern void GOMP_taskloop(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int, long, long, long)
    __attribute__((weak));
extern void GOMP_taskloop_ull(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int,
                              unsigned long long, unsigned long long, unsigned long long) __attribute__((weak));
enum { UP = 1 << 8, GRAINSIZE = 1 << 9, IF = 1 << 10, STRICT = 1 << 14 };

/* ------------------------------------------------------------------ what tasks had */

enum { MOST = 5000 };
static struct part {
  uint64_t first, end;
} parts[MOST];
static int count, lasts, wrong;

static void note(uint64_t first, uint64_t end)
{
  int at = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  if (at < MOST)
    parts[at] = (struct part){first, end};
}

static uint64_t begin, step;
static bool is_up;

static uint64_t iterations(uint64_t from, uint64_t to)
{
  return is_up ? (to - from) / step : (from - to) / -step;
}

static int in_order(const void *a, const void *b)
{
  uint64_t x = iterations(begin, ((const struct part *)a)->first), y = iterations(begin, ((const struct part *)b)->first);
  return x < y ? -1 : x > y;
}

struct expected {
  uint64_t iterations;
  uint64_t tasks, least, most; /* iterations of a task */
  bool smaller_last;           /* all but the last have `most` */
};

static bool is_right(const struct expected *e)
{
  if ((uint64_t)count != e->tasks)
    return false;
  qsort(parts, (size_t)count, sizeof *parts, in_order);
  uint64_t at = begin, all = 0;
  for (int i = 0; i < count; i++) {
    uint64_t has = iterations(parts[i].first, parts[i].end);
    if (parts[i].first != at || has > e->most || has < (e->smaller_last && i != count - 1 ? e->most : e->least))
      return false;
    at = parts[i].end;
    all += has;
  }
  return all == e->iterations;
}

static void check(const char *what, int threads, uint64_t tasks, const struct expected *e)
{
  if (!is_right(e)) {
    printf("%s, %d threads, %llu: %d tasks, expected %llu\n", what, threads, (unsigned long long)tasks, count, (unsigned long long)e->tasks);
    wrong = 1;
  }
  count = 0;
}

/* ------------------------------------------------------------------------- loops */

struct loop {
  const char *name;
  bool is_unsigned, is_up;
  uint64_t first, end, step, iterations;
};
static const struct loop loops[] = {
    {"empty", false, true, 5, 5, 1, 0},
    {"of one", false, true, 5, 6, 1, 1},
    {"of two", false, true, 5, 7, 1, 2},
    {"of three", false, true, (uint64_t)-1, 2, 1, 3},
    {"of 1000 by 7", false, true, 3, 7000, 7, 1000},
    {"downwards by 3", false, false, 100, (uint64_t)-200, (uint64_t)-3, 100},
    {"of 2^40", false, true, 0, (uint64_t)1 << 40, 1, (uint64_t)1 << 40},
    {"of all long", false, true, (uint64_t)LONG_MIN, LONG_MAX, 3, ULLONG_MAX / 3},
    {"downwards to the least long", false, false, (uint64_t)LONG_MIN + 500, (uint64_t)LONG_MIN, (uint64_t)-1, 500},
    {"unsigned, to the greatest", true, true, ULLONG_MAX - 999, ULLONG_MAX, 3, 333},
    {"unsigned, of all", true, true, 0, ULLONG_MAX, 5, ULLONG_MAX / 5},
    {"unsigned, downwards", true, false, ULLONG_MAX, 7, (uint64_t)-11, (ULLONG_MAX - 7) / 11 + ((ULLONG_MAX - 7) % 11 != 0)},
};

static struct expected expect(const struct loop *loop, bool grainsize, bool strict, uint64_t number)
{
  uint64_t n = loop->iterations;
  if (n == 0)
    return (struct expected){0};
  if (!grainsize) {
    uint64_t tasks = number < n ? number : n;
    return (struct expected){n, tasks, n / tasks, n / tasks + (n % tasks != 0), false};
  }
  if (strict) {
    uint64_t each = number < n ? number : n, tasks = (n - 1) / each + 1;
    return (struct expected){n, tasks, n - (tasks - 1) * each, each, true};
  }
  uint64_t tasks = n > number ? n / number : 1; /* each has from `number` to twice as many, or all */
  return (struct expected){n, tasks, n < number ? n : number, 2 * number - 1 < number ? n : 2 * number - 1, false};
}

/* The clauses that make no more tasks than can be noted. */
static bool fits(const struct expected *e)
{
  return e->tasks <= MOST;
}

/* ------------------------------------------------------------------ GCC's entry points */

struct block {
  struct part bounds;
  char more[200]; /* larger than the runtime's own room, so it must allocate */
};

static void body(void *data)
{
  struct block *block = data;
  for (size_t i = 0; i < sizeof block->more; i++)
    if (block->more[i] != (char)i)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  note(block->bounds.first, block->bounds.end);
}

static void small_body(void *data)
{
  const struct part *bounds = data;
  note(bounds->first, bounds->end);
}

static int copied;

static void copy(void *to, void *from)
{
  memcpy(to, from, sizeof(struct block));
  __atomic_fetch_add(&copied, 1, __ATOMIC_RELAXED);
}

enum form { SMALL, LARGE, COPIED, FORMS };

static void call_gcc(const struct loop *loop, enum form form, unsigned flags, uint64_t number)
{
  struct block block = {0};
  for (size_t i = 0; i < sizeof block.more; i++)
    block.more[i] = (char)i;
  void (*fn)(void *) = form == SMALL ? small_body : body;
  long size = form == SMALL ? sizeof(struct part) : sizeof block;
  flags |= IF | (loop->is_up ? UP : 0);
  if (loop->is_unsigned)
    GOMP_taskloop_ull(fn, &block, form == COPIED ? copy : NULL, size, 8, flags, number, 0, loop->first, loop->end, loop->step);
  else
    GOMP_taskloop(fn, &block, form == COPIED ? copy : NULL, size, 8, flags, number, 0, (long)loop->first, (long)loop->end,
                  (long)loop->step);
}

static void of_gcc(const struct loop *loop, bool grainsize, bool strict, uint64_t number)
{
  struct expected e = expect(loop, grainsize, strict, number);
  if (!fits(&e))
    return;
  for (enum form form = SMALL; form < FORMS; form++) {
    copied = 0;
    call_gcc(loop, form, (grainsize ? GRAINSIZE : 0) | (strict ? STRICT : 0), number);
    if (copied != (form == COPIED ? count : 0)) {
      printf("%s: %d copies for %d tasks\n", loop->name, copied, count);
      wrong = 1;
    }
    check(loop->name, omp_get_num_threads(), number, &e);
  }
}

/* ------------------------------------------------------------ those of LLVM's compilers */

struct kmp_block {
  void *shareds;
  int32_t (*routine)(int32_t, struct kmp_block *);
  int32_t part;
  void *data1, *data2;
  uint64_t lower, upper;
  int64_t stride;
  int32_t last;
};
static struct kmp_block *(*alloc)(void *, int32_t, int32_t, size_t, size_t, int32_t (*)(int32_t, struct kmp_block *));
static void (*taskloop)(void *, int32_t, struct kmp_block *, int32_t, uint64_t *, uint64_t *, int64_t, int32_t, int32_t, uint64_t, int32_t,
                        void (*)(struct kmp_block *, struct kmp_block *, int32_t));
static void (*begin_group)(void *, int32_t), (*end_group)(void *, int32_t);

static int32_t kmp_body(int32_t gtid, struct kmp_block *block)
{
  (void)gtid;
  note(block->lower, block->upper + (uint64_t)block->stride);
  __atomic_fetch_add(&lasts, block->last, __ATOMIC_RELAXED);
  return 0;
}

static void duplicate(struct kmp_block *task, struct kmp_block *pattern, int32_t last)
{
  if (pattern->last != 0)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  task->last = last;
}

/* `how`: the runtime opens a taskgroup, or the caller does and says nogroup, as Clang's code. */
static void of_llvm(const struct loop *loop, bool grainsize, bool strict, uint64_t number)
{
  struct expected e = expect(loop, grainsize, strict, number);
  if (!fits(&e))
    return;
  for (int how = 0; how < 4; how++) {
    struct kmp_block *block = alloc(NULL, 0, 1, sizeof *block, 0, kmp_body);
    bool opened = how % 2 != 0, duplicates = how / 2 != 0;
    block->lower = loop->first;
    block->upper = loop->end - (loop->is_up ? 1 : (uint64_t)-1);
    block->stride = (int64_t)loop->step;
    block->last = 0;
    lasts = 0;
    if (opened)
      begin_group(NULL, 0);
    taskloop(NULL, 0, block, 1, &block->lower, &block->upper, block->stride, opened, grainsize ? 1 : 2, number, strict,
             duplicates ? duplicate : NULL);
    if (opened)
      end_group(NULL, 0);
    if (lasts != (duplicates && loop->iterations != 0)) {
      printf("%s: %d tasks have the last iteration\n", loop->name, lasts);
      wrong = 1;
    }
    check(loop->name, omp_get_num_threads(), number, &e);
  }
}

/* ------------------------------------------------------------------------------- all */

static void with_number(const struct loop *loop, uint64_t number)
{
  for (int kind = 0; kind < 3; kind++) {
    bool grainsize = kind != 0, strict = kind == 2;
    if (GOMP_taskloop != NULL)
      of_gcc(loop, grainsize, strict, number);
    /* Its upper bound is the last value: such loops are not downwards to 0 or to the least long, nor empty. */
    if (loop->iterations != 0)
      of_llvm(loop, grainsize, strict, number);
  }
}

int main(void)
{
  static const uint64_t numbers[] = {1, 2, 3, 7, 64, 999, 4096, (uint64_t)1 << 30, (uint64_t)1 << 38, ((uint64_t)1 << 52) + 1, ULLONG_MAX / 16};
  alloc = find("__kmpc_omp_task_alloc");
  taskloop = find("__kmpc_taskloop_5");
  begin_group = find("__kmpc_taskgroup");
  end_group = find("__kmpc_end_taskgroup");
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    begin = loops[i].first;
    step = loops[i].step;
    is_up = loops[i].is_up;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
      for (int threads = 1; threads <= 9; threads += threads < 3 ? 1 : 3) {
#pragma omp parallel num_threads(threads)
#pragma omp single
        with_number(&loops[i], numbers[k]);
      }
  }
  return wrong;
}
