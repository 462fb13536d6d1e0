/* taskloop: how many tasks there are, which iterations each has, and the taskgroup around them.  */
#include "task/taskgroup.h"

#include "state/thread.h"
#include "task/at_once.h"

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

/* Without a clause: one task for each thread, as in libgomp.  */
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

/* The tasks of a loop, and which of them is next.  */
struct walk {
  uint64_t task, tasks, many;
  uint64_t at, longer, shorter; /* in the loop's own terms, mod 2^64 */
};

static struct walk begin_walk(const struct taskloop_request *r, unsigned threads)
{
  struct cut cut = choose_cut(r, threads);
  return (struct walk){.tasks = cut.tasks, .many = cut.many, .at = r->begin,
                       .longer = cut.longer * r->step, .shorter = cut.shorter * r->step};
}

static inline struct bounds walk_on(struct walk *w)
{
  uint64_t first = w->at;
  w->at += w->task++ < w->many ? w->longer : w->shorter;
  return (struct bounds){first, w->at};
}

/* Executes tasks at once as long as they should be.  Such a task finds its bounds in the creator's
   own block: its body copies them from there, and the creator waits.  */
static void run_at_once(struct thread *self, const struct taskloop_request *r, struct walk *walk)
{
  const struct task_request *request = &r->task;
  if (request->copy != NULL || request->priority > 0)
    return;
  struct member *member = self->member;
  struct task *parent = member->task, *task = NULL;
  bool never = ghcomp_task_is_never_deferred(self, request->deferrable);
  if (!never && ghcomp_stack_is_deep(member))
    return;
  bool always = never || member->team->own_tasks_only;
  struct bounds *mine = request->data;
  struct walk w = *walk;
  int64_t enough = always ? 0 : ghcomp_reserve_enough(member);
  while (w.task < w.tasks && ghcomp_deque_length(&member->deque) >= enough) {
    struct bounds bounds = walk_on(&w);
    if (ghcomp_task_is_cancelled(parent))
      continue;
    *mine = bounds;
    if (unlikely(task == NULL))
      task = ghcomp_at_once_begin(self, parent, request->final ? TASK_FINAL : 0);
    if (unlikely(!ghcomp_at_once_run(self, parent, task, request->fn, mine)))
      task = NULL;
  }
  if (task != NULL)
    ghcomp_at_once_end(self, task);
  *walk = w;
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
  struct walk walk = begin_walk(r, self->member->team->size);
  if (r->create != NULL) {
    while (walk.task < walk.tasks) {
      struct bounds bounds = walk_on(&walk);
      r->create(self, r, bounds.first, bounds.last, walk.task == walk.tasks);
    }
    return;
  }
  while (run_at_once(self, r, &walk), walk.task < walk.tasks) {
    struct bounds bounds = walk_on(&walk);
    create_task(self, r, &bounds);
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
