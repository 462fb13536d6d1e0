/* The work-stealing deque.

   Invariant: the tasks are array[top … bottom-1] (mod its size).  Each is taken exactly once: at
   the bottom by the owner, without competition, while more than one is left; otherwise by the
   thread whose compare-and-swap on top succeeds.  Old arrays stay readable until the process ends,
   because a thief may still read one.  The size doubles each time, so all old arrays together are
   no larger than the current one.  */
#include "task/deque.h"

#include "base/memory.h"
#include "state/thread.h"

#define FIRST_SIZE 64

struct deque_array {
  int64_t size; /* a power of two */
  struct deque_array *older; /* the array that it replaced, so that leak checkers find it */
  _Atomic(struct task *) tasks[];
};

static _Atomic(struct task *) *at(struct deque_array *array, int64_t index)
{
  return &array->tasks[index & (array->size - 1)];
}

static struct deque_array *make_array(int64_t size)
{
  struct deque_array *array =
      ghcomp_memory_get_zero(sizeof *array + (size_t)size * sizeof array->tasks[0]);
  array->size = size;
  return array;
}

/* An array with room for one more task.
   Called by: the owner.  */
static struct deque_array *grow(struct deque *deque, int64_t top, int64_t bottom)
{
  struct deque_array *old = load_relaxed(&deque->array);
  if (old != NULL && bottom - top < old->size)
    return old;
  struct deque_array *array = make_array(old != NULL ? old->size * 2 : FIRST_SIZE);
  for (int64_t i = top; i < bottom; i++)
    store_relaxed(at(array, i), load_relaxed(at(old, i)));
  array->older = old;
  store_release(&deque->array, array); /* pairs with the load_acquire in steal */
  return array;
}

void ghcomp_deque_push(struct deque *deque, struct task *task)
{
  int64_t bottom = load_relaxed(&deque->bottom);
  int64_t top = load_acquire(&deque->top); /* pairs with the thieves' cas */
  struct deque_array *array = load_relaxed(&deque->array);
  if (unlikely(array == NULL || bottom - top >= array->size))
    array = grow(deque, top, bottom);
  store_relaxed(at(array, bottom), task);
  /* Publishes the task to thieves (their load of bottom).  It is also the full barrier before the
     look at sleepers.  */
  swap_seq_cst(&deque->bottom, bottom + 1);
}

struct task *ghcomp_deque_take(struct deque *deque,
                               bool (*accept)(struct task *, struct task *), struct task *argument)
{
  struct deque_array *array = load_relaxed(&deque->array);
  int64_t bottom = load_relaxed(&deque->bottom) - 1;
  if (array == NULL || bottom < load_relaxed(&deque->top))
    return NULL;
  struct task *task = load_relaxed(at(array, bottom));
  if (accept != NULL && !accept(task, argument))
    return NULL;
  /* Claims the bottom first, and then looks at the top.  Pairs with steal, which reads top before
     bottom.  */
  swap_seq_cst(&deque->bottom, bottom);
  int64_t top = load_seq_cst(&deque->top);
  if (top < bottom)
    return task;
  /* Decides between the owner and thieves, which change the same word, and releases `bottom`: a
     thief that reads the new top reads no older bottom.  */
  if (top == bottom && cas_release(&deque->top, &top, top + 1))
    deque->own_tops++;
  else
    task = NULL; /* a thief has the last task */
  store_relaxed(&deque->bottom, bottom + 1);
  return task;
}

struct task *ghcomp_deque_steal(struct deque *deque,
                                bool (*accept)(struct task *, struct task *),
                                struct task *argument)
{
  int64_t top = load_seq_cst(&deque->top);
  int64_t bottom = load_seq_cst(&deque->bottom); /* pairs with push and take */
  if (top >= bottom)
    return NULL;
  struct deque_array *array = load_acquire(&deque->array); /* pairs with grow */
  struct task *task = load_relaxed(at(array, top));
  if (accept != NULL && !accept(task, argument))
    return NULL;
  return cas_seq_cst(&deque->top, &top, top + 1) ? task : NULL;
}

struct task *ghcomp_deque_take_oldest(struct deque *deque,
                                      bool (*accept)(struct task *, struct task *),
                                      struct task *argument)
{
  struct task *task = ghcomp_deque_steal(deque, accept, argument);
  deque->own_tops += task != NULL;
  return task;
}

bool ghcomp_deque_holds(struct deque *deque, bool (*accept)(struct task *, struct task *),
                        struct task *argument)
{
  int64_t top = load_relaxed(&deque->top); /* an old value shows more tasks, which are taken, but no
                                              fewer */
  /* Pairs with push; it is also the look before sleeping.  */
  int64_t bottom = load_seq_cst(&deque->bottom);
  struct deque_array *array = load_acquire(&deque->array); /* pairs with grow */
  for (int64_t i = top; i < bottom; i++) {
    struct task *task = load_relaxed(at(array, i));
    if (task != NULL && accept(task, argument))
      return true;
  }
  return false;
}
