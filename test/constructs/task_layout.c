/* Where a task's shared data stand, which code of LLVM's compilers knows: behind the block, whose size is rounded up to 8.
   Clang follows the pointer that stands first in the block.  Flang's function that duplicates a taskloop's task does not: it
   adds the block's size and an offset, in the new task and in the pattern.
   link: -ldl */
#include "entry_point.h"

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;
#define CHECK(condition, ...)           \
  do {                                  \
    if (!(condition)) {                 \
      printf(__VA_ARGS__);              \
      wrong = 1;                        \
    }                                   \
  } while (0)

struct task {
  char *shareds;
  int32_t (*routine)(int32_t, struct task *);
  int32_t part;
  void *data1, *data2;
};
enum { TIED = 1, BLOCK = sizeof(struct task) };
typedef int32_t routine(int32_t gtid, struct task *task);

/* ------------------------------------------------------------------------ tasks */

static int executed;

static int32_t note(int32_t gtid, struct task *task)
{
  (void)gtid, (void)task;
  __atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED);
  return 0;
}

static void check_at(const char *what, const struct task *task, size_t size)
{
  long at = (long)(task->shareds - (const char *)task), expected = (long)((size + 7) / 8 * 8);
  CHECK(at == expected, "%s of %zu bytes: shared data at %ld, expected at %ld\n", what, size, at, expected);
}

static void check_tasks(void)
{
  struct task *(*alloc)(void *, int32_t, int32_t, size_t, size_t, routine *) = find("__kmpc_omp_task_alloc");
  struct task *(*alloc_for_device)(void *, int32_t, int32_t, size_t, size_t, routine *, int64_t) =
      find("__kmpc_omp_target_task_alloc");
  int32_t (*run)(void *, int32_t, struct task *) = find("__kmpc_omp_task");
  int made = 0;
  for (size_t size = BLOCK; size <= 5000; size += size < 400 ? 1 : 997) {
    struct task *task = alloc(NULL, 0, TIED, size, 32, note), *for_device = alloc_for_device(NULL, 0, TIED, size, 32, note, 0);
    check_at("a task", task, size);
    check_at("a task for a device", for_device, size);
    memset(task->shareds, 1, 32); /* all of it is the task's */
    memset(for_device->shareds, 2, 32);
    run(NULL, 0, task);
    run(NULL, 0, for_device);
    made += 2;
  }
#pragma omp taskwait
  CHECK(executed == made, "%d of %d tasks were executed\n", executed, made);
}

/* -------------------------------------------------------------------- taskloop */

enum { N = 300 };
static int hits[N];

/* As Flang has it: the bounds are shared data, and so is the address of the private data.  */
struct shared {
  int64_t lower, upper, step;
  int *private;
};

static int32_t loop(int32_t gtid, struct task *task)
{
  const struct shared *shared = (struct shared *)task->shareds;
  (void)gtid;
  for (int64_t i = shared->lower; i <= shared->upper; i += shared->step)
    __atomic_fetch_add(&hits[i], *shared->private, __ATOMIC_RELAXED);
  free(shared->private);
  return 0;
}

static struct shared *shared_of(struct task *task)
{
  return (struct shared *)((char *)task + BLOCK);
}

static void duplicate(struct task *task, struct task *pattern, int32_t last)
{
  (void)last;
  shared_of(task)->private = malloc(sizeof(int));
  *shared_of(task)->private = *shared_of(pattern)->private;
}

static void check_taskloop(void)
{
  struct task *(*alloc)(void *, int32_t, int32_t, size_t, size_t, routine *) = find("__kmpc_omp_task_alloc");
  void (*taskloop)(void *, int32_t, struct task *, int32_t, int64_t *, int64_t *, int64_t, int32_t, int32_t, uint64_t,
                   void (*)(struct task *, struct task *, int32_t)) = find("__kmpc_taskloop");
  int one = 1;
  struct task *task = alloc(NULL, 0, TIED, BLOCK, sizeof(struct shared), loop);
  struct shared *shared = (struct shared *)task->shareds;
  *shared = (struct shared){0, N - 1, 1, &one};
  if (shared != shared_of(task)) /* the function would write elsewhere */
    return;
  taskloop(NULL, 0, task, 1, &shared->lower, &shared->upper, 1, 0, 0, 0, duplicate);
  for (int i = 0; i < N; i++)
    CHECK(hits[i] == 1, "iteration %d ran %d times\n", i, hits[i]);
}

int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    check_tasks();
    check_taskloop();
  }
  return wrong;
}
