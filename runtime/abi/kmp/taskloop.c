/* taskloop.  Spec: 5.2, 12.6.

   The compiler's block is a pattern: each task has a copy of it with bounds of its own.  */
#include "abi/kmp/task.h"

#include "task/taskgroup.h"

#include <string.h>

ENTRY_POINTS(kmp_taskloop);

/* Copies what a copy of the bytes does not, perhaps from the program's own variables, and says whether the task has the last
   iteration, for lastprivate.  */
typedef void kmp_duplicate(struct kmp_task *task, struct kmp_task *pattern, int32_t last);

struct pattern {
  struct taskloop_request request; /* the first: its address is the pattern's */
  struct kmp_task *task;
  size_t lower_at, upper_at;       /* in the block */
  kmp_duplicate *duplicate;
};

static struct kmp_task *copy_block(struct thread *self, struct kmp_task *pattern)
{
  const struct made *made = ghcomp_made_of(pattern);
  struct kmp_task *task = ghcomp_made_block(self, made->size, made->compiler_flags);
  memcpy(task, pattern, made->size);
  if (pattern->shareds != NULL)
    task->shareds = (char *)task + ((char *)pattern->shareds - (char *)pattern);
  return task;
}

static inline struct kmp_task *make(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last)
{
  const struct pattern *pattern = (const struct pattern *)request;
  struct kmp_task *task = copy_block(self, pattern->task);
  *(uint64_t *)((char *)task + pattern->lower_at) = first;
  *(uint64_t *)((char *)task + pattern->upper_at) = last - request->step;
  return task;
}

static void create(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last,
                   bool is_last)
{
  const struct pattern *pattern = (const struct pattern *)request;
  struct kmp_task *task = make(self, request, first, last);
  if (pattern->duplicate != NULL)
    pattern->duplicate(task, pattern->task, is_last);
  if (request->task.deferrable)
    __kmpc_omp_task(NULL, 0, task);
  else
    ghcomp_kmp_submit(task, false, NULL);
}

static void run(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last)
{
  ghcomp_kmp_run(self, make(self, request, first, last));
}

static void end(struct thread *self, const struct taskloop_request *request)
{
  struct kmp_task *task = ((const struct pattern *)request)->task;
  ghcomp_kmp_destroy(task);
  ghcomp_made_discard(self, task);
}

/* Of a task in parts or with an event the body's end says nothing.  */
static bool is_simple(unsigned flags)
{
  return (flags & (KMP_TASK_TIED | KMP_TASK_MERGED_IF0 | KMP_TASK_PROXY | KMP_TASK_DETACHABLE)) == KMP_TASK_TIED;
}

/* The bounds belong to the loop.  They may be signed or unsigned: an empty loop is empty either way.  */
static uint64_t iterations(uint64_t lower, uint64_t upper, int64_t step)
{
  uint64_t from = step > 0 ? lower : upper, to = step > 0 ? upper : lower;
  uint64_t by = step > 0 ? (uint64_t)step : -(uint64_t)step;
  if (by == 0 || (from > to && (int64_t)from > (int64_t)to))
    return 0;
  return (to - from) / by + 1;
}

enum { NO_SCHEDULE, GRAINSIZE, NUM_TASKS };

/* Without a clause, as LLVM's own library does.  */
enum { TASKS_PER_THREAD = 10 };

EXPORT void __kmpc_taskloop_5(struct kmp_ident *where, int32_t gtid, struct kmp_task *task, int32_t deferrable,
                              uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t schedule,
                              uint64_t grain, int32_t strict, kmp_duplicate *duplicate)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  unsigned flags = ghcomp_made_of(task)->compiler_flags;
  bool has_clause = schedule != NO_SCHEDULE && grain != 0;
  struct pattern pattern = {
      .request = {.task = {.deferrable = deferrable != 0,
                           .priority = (flags & KMP_TASK_PRIORITY) != 0 ? task->data2.priority : 0},
                  .count = iterations(*lower, *upper, step),
                  .begin = *lower, .step = (uint64_t)step,
                  .tasks = has_clause ? grain : TASKS_PER_THREAD * (uint64_t)self->member->team->size,
                  .grainsize = has_clause && schedule == GRAINSIZE,
                  .strict = strict != 0,
                  .nogroup = nogroup != 0,
                  .one_by_one = !is_simple(flags) || duplicate != NULL,
                  .create = create,
                  .run = run,
                  .size = sizeof pattern,
                  .end = end},
      .task = task,
      .lower_at = (size_t)((char *)lower - (char *)task),
      .upper_at = (size_t)((char *)upper - (char *)task),
      .duplicate = duplicate};
  ghcomp_taskloop_run(self, &pattern.request);
}

EXPORT void __kmpc_taskloop(struct kmp_ident *where, int32_t gtid, struct kmp_task *task, int32_t deferrable,
                            uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t schedule,
                            uint64_t grain, kmp_duplicate *duplicate)
{
  __kmpc_taskloop_5(where, gtid, task, deferrable, lower, upper, step, nogroup, schedule, grain, 0, duplicate);
}
