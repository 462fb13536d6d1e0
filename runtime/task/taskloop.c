/* taskloop: how many tasks there are, who creates them, and the taskgroup around them.

   Where a taskgroup of the current task outlives the loop, other threads create tasks of it, too (ranges.h).  GCC's compiler says
   whether there is one.  LLVM's compilers open it themselves and say that there is none, so the innermost group counts if the current
   task has opened it.  It may be another one, and the program may go on before the loop's tasks are complete.  So the request is
   copied, and stays until the group's end, or until a later loop of the group finds that its tasks are complete.

   Otherwise the creator creates all tasks: nothing says until when they could be created by others, and a taskwait waits for the
   creator's own children alone.  GCC's code has no function that would destroy a copy of the data for later copies.

   So it does if tasks are copied from the program's own variables (C++ objects, variable-length arrays).  The last task may change
   them by lastprivate, which comes after the copies for firstprivate of all tasks (5.2, 5.4.5).  And the constructors that copy one
   object may rely on that one thread calls them.  */
#include "task/taskgroup.h"

#include "base/memory.h"
#include "state/thread.h"
#include "task/at_once.h"
#include "task/ranges.h"
#include "task/task_wait.h"

#include <string.h>

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

/* ---------------------------------------------------------------- by the creator */

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
  while (w.task < w.end && ghcomp_deque_length(&member->deque) >= enough) {
    struct bounds bounds = ghcomp_cut_next(&w);
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
  task.fill = ghcomp_cut_set_bounds;
  task.argument = bounds;
  ghcomp_task_create(self, &task);
}

static void create_tasks(struct thread *self, const struct taskloop_request *r, const struct cut *cut)
{
  struct walk walk = ghcomp_cut_walk(cut, r->begin, r->step, 0, cut->tasks);
  if (r->create != NULL) {
    while (walk.task < walk.end) {
      struct bounds bounds = ghcomp_cut_next(&walk);
      r->create(self, r, bounds.first, bounds.last, walk.task == walk.end);
    }
    return;
  }
  while (run_at_once(self, r, &walk), walk.task < walk.end) {
    struct bounds bounds = ghcomp_cut_next(&walk);
    create_task(self, r, &bounds);
  }
}

/* ------------------------------------------------------------------ by all threads */

/* A ready task with a priority stands in a queue of the team's, by itself.  */
static inline bool is_in_ranges(struct thread *self, const struct taskloop_request *r, uint64_t tasks)
{
  struct member *member = self->member;
  const struct taskgroup *group = member->task->group;
  return !member->team->own_tasks_only && !ghcomp_task_is_never_deferred(self, r->task.deferrable) && !r->one_by_one &&
         (!r->nogroup || (r->size != 0 && group != NULL && group->opener == member->task)) &&
         tasks <= MOST_IN_RANGES && ghcomp_task_clamp_priority(r->task.priority) == 0 && !ghcomp_reserve_is_unlimited(member);
}

static void run_in_ranges(struct thread *self, struct taskloop *loop, const struct taskloop_request *r, const struct cut *cut)
{
  struct task *task = self->member->task;
  loop->request = r;
  loop->cut = *cut;
  loop->creator = task;
  loop->group = task->group;
  store_relaxed(&loop->unfinished, (uint32_t)cut->tasks + 1);
  add_relaxed(&task->group->unfinished, 1);
  ghcomp_ranges_run(self, loop);
}

/* Loops that outlive their construct.  They are in a ring; the group knows the one before the first.  */

static void end_loop(struct thread *self, struct taskloop *loop)
{
  const struct taskloop_request *request = loop->request;
  if (request->end != NULL)
    request->end(self, request);
  ghcomp_memory_release(loop);
}

static bool is_complete(const struct taskloop *loop)
{
  /* Pairs with ghcomp_parking_count_down_by.  */
  return WAIT_COUNT(load_acquire(&loop->unfinished)) == 1;
}

/* The first ends if it is complete, else it becomes the last.  */
static void look_at_first(struct thread *self, struct taskgroup *group)
{
  struct taskloop *last = group->loops, *first = last->next;
  if (!is_complete(first)) {
    group->loops = first;
    return;
  }
  if (first == last)
    group->loops = NULL;
  else
    last->next = first->next;
  end_loop(self, first);
}

static void append(struct taskgroup *group, struct taskloop *loop)
{
  struct taskloop *last = group->loops;
  loop->next = last != NULL ? last->next : loop;
  if (last != NULL)
    last->next = loop;
  group->loops = loop;
}

/* Each new loop looks at two old ones, so that about as many stay as are not complete.  */
enum { LOOKS = 2 };

static void run_beyond(struct thread *self, const struct taskloop_request *r, const struct cut *cut)
{
  struct task *task = self->member->task;
  struct taskgroup *group = task->group;
  for (int i = 0; i < LOOKS && group->loops != NULL; i++)
    look_at_first(self, group);
  struct taskloop *loop = ghcomp_memory_get(sizeof *loop + r->size);
  append(group, loop);
  task->has_rare_fields = true; /* so that its taskwait looks */
  run_in_ranges(self, loop, memcpy(loop + 1, r, r->size), cut);
}

void ghcomp_taskloop_wait(struct thread *self)
{
  struct task *task = self->member->task;
  for (struct taskgroup *group = task->group; group != NULL && group->opener == task; group = group->outer) {
    struct taskloop *loop = group->loops;
    if (loop != NULL)
      do
        ghcomp_task_wait_count(self, &loop->unfinished);
      while ((loop = loop->next) != group->loops);
  }
}

void ghcomp_taskloop_end(struct thread *self, struct taskgroup *group)
{
  while (group->loops != NULL)
    look_at_first(self, group);
}

/* ----------------------------------------------------------------------------- */

static void open_group(struct thread *self, const struct taskloop_request *r)
{
  struct taskgroup *group = ghcomp_taskgroup_begin(self);
  if (r->reductions != NULL) {
    ghcomp_reduction_register(r->reductions, group->reductions, self->member->team->size);
    group->reductions = r->reductions;
  }
}

static __attribute__((noinline)) void run_and_wait(struct thread *self, const struct taskloop_request *r, const struct cut *cut)
{
  CACHE_ALIGNED struct taskloop loop;
  run_in_ranges(self, &loop, r, cut);
  ghcomp_taskgroup_end(self);
}

void ghcomp_taskloop_run(struct thread *self, const struct taskloop_request *r)
{
  bool group = !r->nogroup, beyond = false;
  if (group)
    open_group(self, r);
  if (r->count != 0) {
    struct cut cut = choose_cut(r, self->member->team->size);
    bool in_ranges = is_in_ranges(self, r, cut.tasks);
    beyond = in_ranges && !group;
    if (!in_ranges)
      create_tasks(self, r, &cut);
    else if (beyond)
      run_beyond(self, r, &cut);
    else {
      run_and_wait(self, r, &cut);
      group = false;
    }
  }
  if (group)
    ghcomp_taskgroup_end(self);
  if (!beyond && r->end != NULL)
    r->end(self, r);
}
