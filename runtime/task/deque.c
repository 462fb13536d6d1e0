/* The work-stealing deque.

   Invariant: the tasks are array[top … bottom-1] (mod its size).  Each is taken exactly once: at
   the bottom by the owner, without competition, where no thief can reach it (deque.md); otherwise by the
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

/* An array with room for more.
   Called by: the owner.  */
static __attribute__((noinline)) struct deque_array *grow(struct deque *deque)
{
  struct deque_array *old = load_relaxed(&deque->array);
  struct deque_array *array = make_array(old != NULL ? old->size * 2 : FIRST_SIZE);
  int64_t bottom = load_relaxed(&deque->bottom);
  for (int64_t i = bottom - ghcomp_deque_length(deque); i < bottom; i++)
    store_relaxed(at(array, i), load_relaxed(at(old, i)));
  array->older = old;
  store_release(&deque->array, array); /* pairs with the load_acquire in steal */
  return array;
}

void ghcomp_deque_push(struct deque *deque, struct task *task)
{
  struct deque_array *array = load_relaxed(&deque->array);
  int64_t position = ghcomp_deque_free_position(deque, array != NULL ? array->size : 0);
  if (unlikely(position == DEQUE_NONE)) {
    array = grow(deque);
    position = load_relaxed(&deque->bottom);
  }
  store_relaxed(at(array, position), task);
  ghcomp_deque_offer(deque, position);
}

struct task *ghcomp_deque_take(struct deque *deque,
                               bool (*accept)(struct task *, struct task *), struct task *argument)
{
  int64_t youngest = ghcomp_deque_youngest(deque);
  if (youngest == DEQUE_NONE)
    return NULL;
  struct task *task = load_relaxed(at(load_relaxed(&deque->array), youngest));
  if (accept != NULL && !accept(task, argument))
    return NULL;
  return ghcomp_deque_claim_youngest(deque, youngest) ? task : NULL;
}

struct task *ghcomp_deque_steal(struct deque *deque,
                                bool (*accept)(struct task *, struct task *),
                                struct task *argument)
{
  struct deque_seen seen = ghcomp_deque_look_oldest(deque);
  if (seen.length <= 0)
    return NULL;
  struct deque_array *array = load_acquire(&deque->array); /* pairs with grow */
  struct task *task = load_relaxed(at(array, seen.oldest));
  if (task == NULL) /* the array is younger: it was made when this position had been taken */
    return NULL;
  if (accept != NULL && !accept(task, argument))
    return NULL;
  return ghcomp_deque_claim_seen(deque, seen, 1) ? task : NULL;
}

int ghcomp_deque_steal_batch(struct deque *deque, struct task *batch[BATCH_MOST])
{
  struct deque_seen seen = ghcomp_deque_look_oldest(deque);
  if (seen.length <= 0)
    return 0;
  int64_t part = seen.length < BATCH_FROM ? 1 : seen.length / BATCH_PART;
  unsigned n = part < BATCH_MOST ? (unsigned)part : BATCH_MOST;
  struct deque_array *array = load_acquire(&deque->array); /* pairs with grow */
  for (unsigned i = 0; i < n; i++) {
    batch[i] = load_relaxed(at(array, seen.oldest + i));
    if (batch[i] == NULL) /* as in steal */
      return BATCH_LOST;
  }
  return ghcomp_deque_claim_seen(deque, seen, n) ? (int)n : BATCH_LOST;
}

struct task *ghcomp_deque_take_oldest(struct deque *deque,
                                      bool (*accept)(struct task *, struct task *),
                                      struct task *argument)
{
  struct task *task = ghcomp_deque_steal(deque, accept, argument);
  deque->own_takes_at_top += task != NULL;
  return task;
}

bool ghcomp_deque_holds(struct deque *deque, bool (*accept)(struct task *, struct task *),
                        struct task *argument)
{
  uint64_t top = load_relaxed(&deque->top); /* an old value shows more tasks, which are taken, but no
                                               fewer */
  /* Pairs with push; it is also the look before sleeping.  */
  int64_t bottom = load_seq_cst(&deque->bottom);
  struct deque_array *array = load_acquire(&deque->array); /* pairs with grow */
  for (int64_t i = bottom - ghcomp_deque_before(top, bottom); i < bottom; i++) {
    struct task *task = load_relaxed(at(array, i));
    if (task != NULL && accept(task, argument))
      return true;
  }
  return false;
}
