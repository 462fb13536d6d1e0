/* Uses the deques as GHC.OpenMP.Task does: the elements are in an array here, by position modulo
   the deque's length.  */
#ifndef WEAK_HASKELL_TASKS_H
#define WEAK_HASKELL_TASKS_H

enum { CAPACITY = 4, MEMBERS = 2 };
enum { SPAWNED_TASK, SECOND_ACTION }; /* enum task_kind */

int64_t ghcomp_task_room(struct loop_worker *worker, int kind, int64_t capacity);
int ghcomp_task_push(struct loop_worker *worker, int kind);
int64_t ghcomp_task_pop(struct loop_worker *worker);
int64_t ghcomp_task_look(struct loop_worker *victim, int kind);
HsBool ghcomp_task_steal(struct loop_worker *victim, int kind, int64_t top);
HsBool ghcomp_task_done(struct loop_worker *worker);
HsBool ghcomp_task_is_over(struct loop_worker *worker);
HsBool ghcomp_task_will_sleep(struct loop_worker *worker);
void ghcomp_task_awake(struct loop_worker *worker);
HsBool ghcomp_task_take_back(struct loop_worker *worker, int64_t position);

/* All helpers are there already.  */
unsigned ghcomp_loop_call_helpers(struct loop_context *of, unsigned wanted)
{
  (void)of, (void)wanted;
  return 0;
}

static struct loop_context *context;
static _Atomic int64_t element[MEMBERS][2][CAPACITY];

static _Atomic int64_t *at(struct loop_worker *worker, int kind, int64_t position)
{
  return &element[worker->number][kind][position % CAPACITY];
}

/* Returns the position of the task.  */
static int64_t push_kind(struct loop_worker *worker, int kind, int64_t task)
{
  int64_t position = ghcomp_task_room(worker, kind, CAPACITY);
  weak_assert(position >= 0);
  store_relaxed_at(0, at(worker, kind, position), task);
  if ((ghcomp_task_push(worker, kind) & 1) != 0)
    ring();
  return position;
}

static void push_task(struct loop_worker *worker, int64_t task)
{
  push_kind(worker, SPAWNED_TASK, task);
}

/* A task, or -1.  */
static int64_t pop_task(struct loop_worker *worker)
{
  int64_t position = ghcomp_task_pop(worker);
  return position >= 0 ? load_relaxed_at(0, at(worker, SPAWNED_TASK, position)) : -1;
}

static int64_t steal_kind(struct loop_worker *victim, int kind)
{
  int64_t position = ghcomp_task_look(victim, kind);
  if (position < 0)
    return -1;
  int64_t task = load_relaxed_at(0, at(victim, kind, position));
  return ghcomp_task_steal(victim, kind, position) ? task : -1;
}

static int64_t steal_task(struct loop_worker *victim)
{
  return steal_kind(victim, SPAWNED_TASK);
}

#endif
