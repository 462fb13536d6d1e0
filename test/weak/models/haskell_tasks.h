/* Uses the deques as GHC.OpenMP.Task does: the elements are in an array here, by position modulo
   the deque's length.  */
#ifndef WEAK_HASKELL_TASKS_H
#define WEAK_HASKELL_TASKS_H

enum { CAPACITY = 4, MEMBERS = 2 };

int64_t ghcomp_task_room(struct loop_worker *worker, int64_t capacity);
HsBool ghcomp_task_push(struct loop_worker *worker);
int64_t ghcomp_task_pop(struct loop_worker *worker);
int64_t ghcomp_task_look(struct loop_worker *victim);
HsBool ghcomp_task_steal(struct loop_worker *victim, int64_t top);
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
static _Atomic int64_t element[MEMBERS][CAPACITY];

static _Atomic int64_t *at(struct loop_worker *worker, int64_t position)
{
  return &element[worker->number][position % CAPACITY];
}

/* Returns the position of the task.  */
static int64_t push_task(struct loop_worker *worker, int64_t task)
{
  int64_t position = ghcomp_task_room(worker, CAPACITY);
  weak_assert(position >= 0);
  store_relaxed_at(0, at(worker, position), task);
  if (ghcomp_task_push(worker))
    ring();
  return position;
}

/* A task, or -1.  */
static int64_t pop_task(struct loop_worker *worker)
{
  int64_t position = ghcomp_task_pop(worker);
  return position >= 0 ? load_relaxed_at(0, at(worker, position)) : -1;
}

static int64_t steal_task(struct loop_worker *victim)
{
  int64_t position = ghcomp_task_look(victim);
  if (position < 0)
    return -1;
  int64_t task = load_relaxed_at(0, at(victim, position));
  return ghcomp_task_steal(victim, position) ? task : -1;
}

#endif
