/* task, taskwait, taskyield, taskgroup, taskloop, task reductions, events.
   Spec: 5.2, chapter 12 and 15.4, 15.5.  */
#include "task/task.h"
#include "task/task_wait.h"

#include "abi/border.h"
#include "task/at_once.h"
#include "task/taskgroup.h"
#include "team/team.h"

ENTRY_POINTS(gomp_task);

/* The compiler's flag bits.  */
enum {
  FLAG_FINAL = 1 << 1,
  FLAG_DEPEND = 1 << 3,
  FLAG_PRIORITY = 1 << 4,
  FLAG_UP = 1 << 8,
  FLAG_GRAINSIZE = 1 << 9,
  FLAG_IF = 1 << 10,
  FLAG_NOGROUP = 1 << 11,
  FLAG_REDUCTION = 1 << 12,
  FLAG_DETACH = 1 << 13,
  FLAG_STRICT = 1 << 14,
};

static __attribute__((noinline)) void create(void (*fn)(void *), void *data,
                                             void (*cpyfn)(void *, void *), long arg_size,
                                             long arg_align, bool if_clause, unsigned flags,
                                             void **depend, int priority, void *detach)
{
  struct task_request request = {
      .fn = fn, .data = data, .copy = cpyfn, .size = arg_size, .alignment = arg_align,
      .deferrable = if_clause,
      .final = (flags & FLAG_FINAL) != 0,
      .priority = (flags & FLAG_PRIORITY) != 0 ? priority : 0,
      .depend = (flags & FLAG_DEPEND) != 0 ? depend : NULL,
      .event = (flags & FLAG_DETACH) != 0 ? detach : NULL,
  };
  ghcomp_task_create(ghcomp_self(), &request);
}

EXPORT void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
                      long arg_size, long arg_align, bool if_clause, unsigned flags,
                      void **depend, int priority, void *detach)
{
  struct thread *self = ghcomp_self_pointer;
  if (likely(self != NULL && cpyfn == NULL &&
             (flags & (FLAG_DEPEND | FLAG_DETACH | FLAG_PRIORITY)) == 0 &&
             ghcomp_task_runs_at_once(self, if_clause))) {
    struct task *parent = self->member->task;
    if (!ghcomp_task_is_cancelled(parent))
      ghcomp_at_once(self, parent, fn, data, (flags & FLAG_FINAL) != 0 ? TASK_FINAL : 0);
  } else {
    create(fn, data, cpyfn, arg_size, arg_align, if_clause, flags, depend, priority, detach);
  }
  /* Keeps the call above from becoming a jump.  For a jump GCC would hold all ten arguments in
     registers, and save some of these first, on both paths.  So a task that is executed at once
     takes 98 instructions, and not 101.  */
  __asm__("");
}

EXPORT void GOMP_taskwait(void)
{
  ghcomp_task_wait(ghcomp_self());
}

EXPORT void GOMP_taskwait_depend(void **depend)
{
  struct thread *self = ghcomp_self();
  if (ghcomp_task_is_cancelled(self->member->task))
    return;
  ghcomp_task_wait_depend(self, depend);
}

static void do_nothing(void *data)
{
  (void)data;
}

/* taskwait depend(…) nowait: an empty task with these dependences.  */
EXPORT void GOMP_taskwait_depend_nowait(void **depend)
{
  struct task_request request = {.fn = do_nothing, .deferrable = true, .depend = depend};
  ghcomp_task_create(ghcomp_self(), &request);
}

EXPORT void GOMP_taskyield(void)
{
  ghcomp_task_yield(ghcomp_self());
}

EXPORT void GOMP_taskgroup_start(void)
{
  ghcomp_taskgroup_begin(ghcomp_self());
}

EXPORT void GOMP_taskgroup_end(void)
{
  ghcomp_taskgroup_end(ghcomp_self());
}

EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *data)
{
  struct thread *self = ghcomp_self();
  struct taskgroup *group = self->member->task->group;
  ghcomp_reduction_register(data, group->reductions, self->member->team->size);
  group->reductions = data;
}

EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *data)
{
  ghcomp_reduction_release(data);
}

EXPORT void GOMP_task_reduction_remap(size_t count, size_t originals, void **pointers)
{
  ghcomp_reduction_remap(ghcomp_self(), count, originals, pointers);
}

/* The block begins with the two bounds.  With FLAG_REDUCTION the list of reductions follows.  */
static void taskloop(struct taskloop_request *request, const struct loop *loop, unsigned flags,
                     unsigned long num_tasks, int priority)
{
  void *data = request->task.data;
  request->task.deferrable = (flags & FLAG_IF) != 0;
  request->task.final = (flags & FLAG_FINAL) != 0;
  request->task.priority = (flags & FLAG_PRIORITY) != 0 ? priority : 0;
  request->count = loop->count;
  request->begin = loop->begin;
  request->step = loop->step;
  request->tasks = num_tasks;
  request->grainsize = (flags & FLAG_GRAINSIZE) != 0;
  request->strict = (flags & FLAG_STRICT) != 0;
  request->nogroup = (flags & FLAG_NOGROUP) != 0;
  request->one_by_one = request->task.copy != NULL;
  request->reductions = (flags & FLAG_REDUCTION) != 0 ? ((uintptr_t **)data)[2] : NULL;
  ghcomp_taskloop_run(ghcomp_self(), request);
}

EXPORT void GOMP_taskloop(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
                          long arg_size, long arg_align, unsigned flags, unsigned long num_tasks,
                          int priority, long start, long end, long step)
{
  struct loop loop = ghcomp_border_loop(start, end, step);
  struct taskloop_request request = {
      .task = {.fn = fn, .data = data, .copy = cpyfn, .size = arg_size, .alignment = arg_align}};
  taskloop(&request, &loop, flags, num_tasks, priority);
}

EXPORT void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
                              long arg_size, long arg_align, unsigned flags,
                              unsigned long num_tasks, int priority, unsigned long long start,
                              unsigned long long end, unsigned long long step)
{
  struct loop loop = ghcomp_border_loop_ull((flags & FLAG_UP) != 0, start, end, step);
  struct taskloop_request request = {
      .task = {.fn = fn, .data = data, .copy = cpyfn, .size = arg_size, .alignment = arg_align}};
  taskloop(&request, &loop, flags, num_tasks, priority);
}

EXPORT void omp_fulfill_event(omp_event_handle_t event)
{
  ghcomp_event_fulfill((void *)(uintptr_t)event);
}
