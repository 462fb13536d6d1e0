#include "task/ranges.h"

#include "state/thread.h"
#include "task/at_once.h"
#include "task/children.h"
#include "task/deque.h"
#include "wait/parking.h"

#include <string.h>

/* The data of a range that waits.  */
struct task_range {
  struct taskloop *loop;
  uint64_t first, end; /* tasks */
};

/* A thread that executes tasks of a loop.  */
struct run {
  struct thread *self;
  struct taskloop *loop;
  struct task *parent;  /* the current task */
  struct task *at_once; /* the header of tasks that copy nothing, or NULL */
  struct bounds *block; /* theirs: a body copies its bounds from there */
  int64_t bottom;       /* of the deque, when it began */
  int64_t youngest;     /* the position of the youngest range that it has left, or DEQUE_NONE */
  int64_t enough;       /* tasks in the deque, if all others are idle: a body may wait for them */
  uint64_t others, share;
  const _Atomic uint32_t *ahead; /* ready tasks with a priority, to which it gives way; or NULL */
  uint64_t done;
};

static void run_range(void *data);

/* ---------------------------------------------------------------- for the others */

static __attribute__((noinline)) void leave_from(struct run *r, struct walk *w, uint64_t first)
{
  struct thread *self = r->self;
  struct task *task = ghcomp_header_take(self);
  ghcomp_task_adopt(self, task, TASK_RANGE | TASK_ALWAYS_CALLED); /* so that tasks that are cancelled are counted */
  struct task_range *range = (struct task_range *)task->small_payload;
  *range = (struct task_range){r->loop, first, w->end};
  task->fn = run_range;
  task->data = range;
  task->priority = 0;
  w->end = first;
  ghcomp_task_put_range(self, task);
  r->youngest = load_relaxed(&self->member->deque.bottom) - 1;
}

static void leave_half(struct run *r, struct walk *w)
{
  leave_from(r, w, w->task + (w->end - w->task) / 2);
}

static void leave_all(struct run *r, struct walk *w)
{
  while (w->task < w->end)
    leave_half(r, w);
}

/* Whether others may wait for tasks of this range.  */
static inline bool is_to_be_halved(const struct run *r, const struct walk *w)
{
  const struct deque *deque = &r->self->member->deque;
  uint64_t left = w->end - w->task;
  return left > 1 && (left > r->share || left <= r->others || !ghcomp_deque_may_hold(deque, r->youngest)) &&
         ghcomp_deque_length(deque) < r->enough;
}

static bool is_child(struct task *task, struct task *parent)
{
  return load_relaxed(&task->parent) == parent;
}

/* The youngest range that is left, if nothing else stands behind it.  */
static bool take_back(struct run *r, struct walk *w)
{
  struct thread *self = r->self;
  struct member *member = self->member;
  struct task *task = ghcomp_deque_take(&member->deque, is_child, r->parent);
  if (task == NULL)
    return false;
  const struct task_range *range = task->data;
  if ((task->flags & TASK_RANGE) == 0 || range->loop != r->loop) {
    ghcomp_ready_put(self, task);
    return false;
  }
  const struct taskloop *loop = r->loop;
  *w = ghcomp_cut_walk(&loop->cut, loop->request->begin, loop->request->step, range->first, range->end);
  ghcomp_task_withdraw(self, task);
  int64_t position = load_relaxed(&member->deque.bottom) - 1;
  r->youngest = position < r->bottom ? DEQUE_NONE : position;
  return true;
}

/* ---------------------------------------------------------------------- execution */

/* What a thread looks at between two tasks of a range.  */
struct look {
  uint64_t until;   /* it may have to be halved behind that task */
  int64_t youngest; /* it has to be if that is gone and the others have not enough */
};

static inline struct look begin_look(const struct run *r, const struct walk *w)
{
  if (w->end - w->task > r->others)
    return (struct look){w->end - r->others, r->youngest};
  return (struct look){w->end, DEQUE_NONE};
}

static inline bool is_ahead(const _Atomic uint32_t *ahead)
{
  return ahead != NULL && load_relaxed(ahead) != 0;
}

static inline bool goes_on(const struct run *r, const struct deque *deque, struct look look, uint64_t task,
                           const _Atomic uint32_t *ahead)
{
  return task < look.until && (ghcomp_deque_may_hold(deque, look.youngest) || ghcomp_deque_length(deque) >= r->enough) &&
         !is_ahead(ahead) && !ghcomp_task_is_cancelled(r->parent);
}

/* These execute one task, and more as long as others need no half of the range.  */

static inline __attribute__((always_inline)) void run_in_block(struct run *r, struct walk *walk, const _Atomic uint32_t *ahead)
{
  struct thread *self = r->self;
  const struct deque *deque = &self->member->deque;
  const struct task_request *request = &r->loop->request->task;
  struct task *parent = r->parent, *task = r->at_once;
  struct bounds *block = r->block;
  struct walk w = *walk;
  struct look look = begin_look(r, &w);
  do {
    *block = ghcomp_cut_next(&w);
    if (unlikely(task == NULL))
      task = ghcomp_at_once_begin(self, parent, request->final ? TASK_FINAL : 0);
    if (unlikely(!ghcomp_at_once_run(self, parent, task, request->fn, block)))
      task = NULL;
  } while (goes_on(r, deque, look, w.task, ahead));
  r->at_once = task;
  *walk = w;
}

static void run_copies(struct run *r, struct walk *walk)
{
  const struct deque *deque = &r->self->member->deque;
  const struct taskloop_request *request = r->loop->request;
  struct walk w = *walk;
  struct look look = begin_look(r, &w);
  do {
    struct bounds bounds = ghcomp_cut_next(&w);
    request->run(r->self, request, bounds.first, bounds.last);
  } while (goes_on(r, deque, look, w.task, r->ahead));
  *walk = w;
}

static void run_range_of(struct run *r, struct walk *w)
{
  uint64_t first = w->task;
  do {
    while (is_to_be_halved(r, w))
      leave_half(r, w);
    if (ghcomp_task_is_cancelled(r->parent))
      w->task = w->end;
    else if (r->block == NULL)
      run_copies(r, w);
    else if (r->ahead == NULL)
      run_in_block(r, w, NULL); /* of the creator's tasks each instruction counts */
    else
      run_in_block(r, w, r->ahead);
  } while (w->task < w->end && !is_ahead(r->ahead));
  r->done += w->task - first;
}

static void run_all(struct run *r, struct walk *w)
{
  do
    run_range_of(r, w);
  while (w->task == w->end && !is_ahead(r->ahead) && take_back(r, w));
  if (w->task < w->end)
    leave_from(r, w, w->task);
  if (r->at_once != NULL)
    ghcomp_at_once_end(r->self, r->at_once);
}

/* The loop and, if it was the last of the group, the group may be gone afterwards.  */
static void count_done(struct taskloop *loop, uint64_t done)
{
  struct taskgroup *group = loop->group;
  struct waiter *waiter = load_relaxed(&group->waiter);
  if (ghcomp_parking_count_down_by(&loop->unfinished, (uint32_t)done, waiter) == 1)
    ghcomp_parking_count_down(&group->unfinished, waiter);
}

static struct run begin_run(struct thread *self, struct taskloop *loop, struct bounds *block, const _Atomic uint32_t *ahead)
{
  const struct member *member = self->member;
  return (struct run){.self = self, .loop = loop, .parent = member->task, .block = block,
                      .bottom = load_relaxed(&member->deque.bottom), .youngest = DEQUE_NONE,
                      .enough = ghcomp_reserve_for_all(member), .others = member->team->size - 1,
                      .share = loop->cut.tasks / member->team->size, .ahead = ahead};
}

/* A copy of the creator's block, without the bounds, which the creator writes.  */
static struct bounds *copy_block(struct task *task, const struct task_request *request)
{
  char *block = ghcomp_task_find_room(task, sizeof(struct task_range), (size_t)request->size, (size_t)request->alignment);
  memcpy(block + sizeof(struct bounds), (char *)request->data + sizeof(struct bounds), (size_t)request->size - sizeof(struct bounds));
  return (struct bounds *)block;
}

/* The body of a range's task.  */
static void run_range(void *data)
{
  struct thread *self = ghcomp_self_pointer;
  struct task *task = self->member->task;
  const struct task_range *range = data;
  struct taskloop *loop = range->loop;
  const struct taskloop_request *request = loop->request;
  struct bounds *block = request->run == NULL ? copy_block(task, &request->task) : NULL;
  struct run r = begin_run(self, loop, block, &self->member->team->tasks.queued);
  struct walk w = ghcomp_cut_walk(&loop->cut, request->begin, request->step, range->first, range->end);
  run_all(&r, &w);
  task->group = NULL; /* which counts the loop, not its ranges */
  count_done(loop, r.done);
}

void ghcomp_ranges_run(struct thread *self, struct taskloop *loop)
{
  struct member *member = self->member;
  const struct taskloop_request *request = loop->request;
  struct run r = begin_run(self, loop, request->run == NULL ? request->task.data : NULL, NULL); /* gives way to nothing, as with single tasks */
  struct walk w = ghcomp_cut_walk(&loop->cut, request->begin, request->step, 0, loop->cut.tasks);
  /* The creator of few tasks that others may execute goes on, if it does not wait.  */
  bool all = request->nogroup && (int64_t)loop->cut.tasks + ghcomp_deque_length(&member->deque) <= r.enough;
  if (all || ghcomp_stack_is_deep(member))
    leave_all(&r, &w);
  else
    run_all(&r, &w);
  if (r.done != 0)
    count_done(loop, r.done);
}

struct task *ghcomp_ranges_parent(struct task *parent)
{
  return parent != NULL && (parent->flags & TASK_RANGE) != 0 ? ((const struct task_range *)parent->data)->loop->creator : parent;
}
