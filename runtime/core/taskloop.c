/* taskloop: how many tasks, which iterations each, and the taskgroup around
   them.  */
#include "core/taskloop.h"

#include "core/reduction.h"
#include "core/taskgroup.h"

/* Task i of n has `longer` iterations if i < many, else `shorter`.  */
struct cut {
  uint64_t tasks, longer, many, shorter;
};

static struct cut cut_evenly(uint64_t count, uint64_t tasks)
{
  return (struct cut){tasks, count / tasks + 1, count % tasks, count / tasks};
}

static struct cut cut_strictly(uint64_t count, uint64_t each)
{
  uint64_t tasks = (count - 1) / each + 1;
  return (struct cut){tasks, each, tasks - 1, count - (tasks - 1) * each};
}

/* Without a clause: one task per thread, as the compiler's own runtime does.  */
static struct cut choose_cut(const struct taskloop_request *r, unsigned threads)
{
  uint64_t wanted = r->tasks != 0 ? r->tasks : threads;
  if (r->tasks != 0 && r->grainsize) {
    if (r->strict)
      return cut_strictly(r->count, wanted < r->count ? wanted : r->count);
    return cut_evenly(r->count, r->count > wanted ? r->count / wanted : 1);
  }
  if (wanted > r->count)
    wanted = r->count;
  return cut_evenly(r->count, wanted);
}

struct bounds {
  uint64_t first, last;
};

static void set_bounds(void *block, const void *argument)
{
  *(struct bounds *)block = *(const struct bounds *)argument;
}

/* A task that runs at once finds its bounds in the creator's own block: its body
   takes its copies from there, and the creator waits.  */
static bool run_at_once(struct thread *self, const struct taskloop_request *r,
                        const struct bounds *bounds)
{
  const struct task_request *task = &r->task;
  if (task->copy != NULL || task->priority > 0 || !ghcomp_task_runs_at_once(self, task->deferrable))
    return false;
  /* One by one: a copy of both would wait until they are out of the store buffer.  */
  struct bounds *mine = task->data;
  *(volatile uint64_t *)&mine->first = bounds->first;
  *(volatile uint64_t *)&mine->last = bounds->last;
  ghcomp_task_run_at_once(self, task->fn, task->data, task->final);
  return true;
}

static void create_task(struct thread *self, const struct taskloop_request *r,
                        const struct bounds *bounds)
{
  struct task_request task = r->task;
  task.fill = set_bounds;
  task.argument = bounds;
  ghcomp_task_create(self, &task);
}

static void create_tasks(struct thread *self, const struct taskloop_request *r)
{
  struct cut cut = choose_cut(r, self->member->team->size);
  uint64_t first = 0;
  for (uint64_t i = 0; i < cut.tasks; i++) {
    uint64_t last = first + (i < cut.many ? cut.longer : cut.shorter);
    struct bounds bounds = {r->begin + first * r->step, r->begin + last * r->step};
    if (!run_at_once(self, r, &bounds))
      create_task(self, r, &bounds);
    first = last;
  }
}

void ghcomp_taskloop_run(struct thread *self, const struct taskloop_request *r)
{
  if (!r->nogroup) {
    struct taskgroup *group = ghcomp_taskgroup_begin(self);
    if (r->reductions != NULL) {
      ghcomp_reduction_register(r->reductions, group->reductions, self->member->team->size);
      group->reductions = r->reductions;
    }
  }
  if (r->count != 0)
    create_tasks(self, r);
  if (!r->nogroup)
    ghcomp_taskgroup_end(self);
}
