/* Stands between a program of LLVM's compilers and the runtime, and checks in what is passed each layout that both must know: a
   task's block and its shared data, a taskloop's bounds and the function that duplicates its task, destructors, priorities,
   arrays of dependences and of reductions.  test/kmp/layouts.cpp and test/flang/layouts.f90 are linked with it; their tasks have
   priority 7, dependences `in` of one variable and `inout` of another, taskloops of 100 iterations, and reductions of two
   variables of 8 bytes.  */
#include "witness.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct block {
  char *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *destructors; /* in a union with one other word */
  union {
    int32_t priority;
    void *word;
  } data2;
};
struct dependence {
  intptr_t address;
  size_t length;
  uint8_t flags;
};
struct reduction {
  void *shared, *original;
  size_t size;
  void *init, *fini, *combine;
  uint32_t flags;
};
typedef int32_t routine(int32_t, struct block *);
typedef void duplicate(struct block *, struct block *, int32_t);
enum { DESTRUCTORS = 8, PRIORITY = 0x20, IN = 1, INOUT = 3 };

static unsigned seen;
static int wrong;
static void *in_variable, *inout_variable;
/* The latest block: compilers hand it over before they ask for the next one.  */
static _Thread_local struct { struct block *block; size_t size, shared_size; int32_t flags; routine *routine; } latest;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("witness.c, line %d: expected %s\n", __LINE__, #condition);       \
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);                           \
    }                                                                          \
  } while (0)

static void see(unsigned what)
{
  __atomic_fetch_or(&seen, what, __ATOMIC_RELAXED);
}

static void *next(const char *name)
{
  void *function = dlvsym(RTLD_NEXT, name, "VERSION");
  if (function == NULL) {
    printf("%s: not there\n", name);
    exit(1);
  }
  return function;
}
#define FORWARD(result, name, ...) ((result (*)(__VA_ARGS__))next(#name))

void witness_expects(void *in, void *inout)
{
  in_variable = in;
  inout_variable = inout;
}

int witness_ends(int kinds)
{
  if ((seen & (unsigned)kinds) != (unsigned)kinds)
    printf("not seen: kinds %x of %x\n", (unsigned)kinds & ~seen, (unsigned)kinds);
  return wrong || (seen & (unsigned)kinds) != (unsigned)kinds;
}

/* ------------------------------------------------------------------------ tasks */

static char *behind(const struct block *block, size_t size)
{
  return (char *)block + (size + 7) / 8 * 8;
}

struct block *__kmpc_omp_task_alloc(void *where, int32_t gtid, int32_t flags, size_t size, size_t shared_size, routine *body)
{
  struct block *block = FORWARD(struct block *, __kmpc_omp_task_alloc, void *, int32_t, int32_t, size_t, size_t, routine *)(
      where, gtid, flags, size, shared_size, body);
  CHECK(size >= sizeof(struct block) && body != NULL && block->routine == body);
  if (shared_size != 0) {
    CHECK(block->shareds == behind(block, size));
    see(WITNESS_SHARED);
  }
  latest.block = block, latest.size = size, latest.shared_size = shared_size, latest.flags = flags, latest.routine = body;
  return block;
}

/* What the compiler has written must have left the runtime's words as they were.  */
static void check_block(const struct block *block)
{
  Dl_info found;
  CHECK(block == latest.block && block->routine == latest.routine && block->part == 0);
  CHECK(latest.shared_size == 0 || block->shareds == behind(block, latest.size));
  see(WITNESS_TASK);
  if ((latest.flags & DESTRUCTORS) != 0) {
    CHECK(dladdr(block->destructors, &found) != 0);
    see(WITNESS_DESTRUCTORS);
  }
  if ((latest.flags & PRIORITY) != 0) {
    CHECK(block->data2.priority == 7);
    see(WITNESS_PRIORITY);
  }
}

/* The runtime may call its own entry points by their names, which are found here; it says no place in a source.  */
int32_t __kmpc_omp_task(void *where, int32_t gtid, struct block *block)
{
  if (where != NULL)
    check_block(block);
  return FORWARD(int32_t, __kmpc_omp_task, void *, int32_t, struct block *)(where, gtid, block);
}

int32_t __kmpc_omp_task_with_deps(void *where, int32_t gtid, struct block *block, int32_t count, struct dependence *list,
                                  int32_t more, void *others)
{
  check_block(block);
  CHECK(count == 2);
  for (int i = 0; i < 2 && count == 2; i++)
    CHECK((list[i].address == (intptr_t)in_variable && list[i].flags == IN) ||
          (list[i].address == (intptr_t)inout_variable && list[i].flags == INOUT));
  CHECK(count != 2 || list[0].address != list[1].address);
  see(WITNESS_DEPENDENCES);
  return FORWARD(int32_t, __kmpc_omp_task_with_deps, void *, int32_t, struct block *, int32_t, struct dependence *, int32_t,
                 void *)(where, gtid, block, count, list, more, others);
}

/* --------------------------------------------------------------------- taskloops */

static duplicate *of_compiler;

/* It writes private data and addresses; the runtime's words must stay, in both blocks.  */
static void duplicate_and_look(struct block *block, struct block *pattern, int32_t last)
{
  struct block before = *block, pattern_before = *pattern;
  of_compiler(block, pattern, last);
  CHECK(block->shareds == before.shareds && block->routine == before.routine && block->part == 0);
  CHECK(pattern->shareds == pattern_before.shareds && pattern->routine == pattern_before.routine);
  see(WITNESS_DUPLICATE);
}

static duplicate *check_taskloop(struct block *block, uint64_t *lower, uint64_t *upper, int64_t step, duplicate *function)
{
  const char *end = behind(block, latest.size) + latest.shared_size;
  if (function == duplicate_and_look) /* one form of the call has called the other */
    return function;
  check_block(block);
  CHECK((char *)lower >= (char *)(block + 1) && (char *)(lower + 1) <= end);
  CHECK((char *)upper >= (char *)(block + 1) && (char *)(upper + 1) <= end && upper != lower);
  CHECK(step == 1 && *upper - *lower == 99);
  see(WITNESS_TASKLOOP);
  of_compiler = function;
  return function != NULL ? duplicate_and_look : NULL;
}

void __kmpc_taskloop(void *where, int32_t gtid, struct block *block, int32_t deferrable, uint64_t *lower, uint64_t *upper,
                     int64_t step, int32_t nogroup, int32_t schedule, uint64_t grain, duplicate *function)
{
  function = check_taskloop(block, lower, upper, step, function);
  FORWARD(void, __kmpc_taskloop, void *, int32_t, struct block *, int32_t, uint64_t *, uint64_t *, int64_t, int32_t, int32_t,
          uint64_t, duplicate *)(where, gtid, block, deferrable, lower, upper, step, nogroup, schedule, grain, function);
}

void __kmpc_taskloop_5(void *where, int32_t gtid, struct block *block, int32_t deferrable, uint64_t *lower, uint64_t *upper,
                       int64_t step, int32_t nogroup, int32_t schedule, uint64_t grain, int32_t strict, duplicate *function)
{
  function = check_taskloop(block, lower, upper, step, function);
  FORWARD(void, __kmpc_taskloop_5, void *, int32_t, struct block *, int32_t, uint64_t *, uint64_t *, int64_t, int32_t, int32_t,
          uint64_t, int32_t, duplicate *)(where, gtid, block, deferrable, lower, upper, step, nogroup, schedule, grain, strict,
                                          function);
}

/* -------------------------------------------------------------------- reductions */

static void check_reductions(int32_t count, const struct reduction *list)
{
  Dl_info found;
  CHECK(count == 2);
  for (int i = 0; i < 2 && count == 2; i++)
    CHECK(list[i].shared != NULL && list[i].size == 8 && dladdr(list[i].init, &found) != 0 && list[i].fini == NULL &&
          dladdr(list[i].combine, &found) != 0 && list[i].flags <= 1);
  see(WITNESS_REDUCTIONS);
}

void *__kmpc_taskred_init(int32_t gtid, int32_t count, struct reduction *list)
{
  check_reductions(count, list);
  return FORWARD(void *, __kmpc_taskred_init, int32_t, int32_t, struct reduction *)(gtid, count, list);
}

void *__kmpc_taskred_modifier_init(void *where, int32_t gtid, int32_t of_loop, int32_t count, struct reduction *list)
{
  check_reductions(count, list);
  return FORWARD(void *, __kmpc_taskred_modifier_init, void *, int32_t, int32_t, int32_t, struct reduction *)(where, gtid,
                                                                                                           of_loop, count, list);
}
