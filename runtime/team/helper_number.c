/* Numbers of tasks for a device: see helper_number.h.

   Invariant: holders[i] is the thread that executes the task with the number i + 1, or NULL.  */
#include "team/helper_number.h"

static _Atomic(struct thread *) holders[HELPER_NUMBERS];

unsigned ghcomp_helper_number_take(struct thread *self)
{
  for (unsigned i = 0; i < HELPER_NUMBERS; i++) {
    struct thread *none = NULL;
    if (load_relaxed(&holders[i]) == NULL && cas_acquire(&holders[i], &none, self)) /* pairs with return */
      return i + 1;
  }
  return self->own_number;
}

void ghcomp_helper_number_return(const struct thread *self, unsigned number)
{
  if (number != self->own_number)
    store_release(&holders[number - 1], NULL); /* pairs with take */
}

void ghcomp_helper_number_after_fork(const struct thread *self)
{
  for (unsigned i = 0; i < HELPER_NUMBERS; i++)
    if (load_relaxed(&holders[i]) != self)
      store_relaxed(&holders[i], NULL);
}
