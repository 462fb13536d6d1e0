/* Numbers of tasks for a device: see helper_number.h.

   Invariant: taken[i] is set while one thread has the number i + 1.  */
#include "team/helper_number.h"

static _Atomic bool taken[HELPER_NUMBERS];

void ghcomp_helper_number_take(struct thread *self)
{
  for (unsigned i = 0; i < HELPER_NUMBERS; i++)
    if (!load_relaxed(&taken[i]) && !swap_acquire(&taken[i], true)) { /* pairs with the store in return */
      self->global_number = i + 1;
      return;
    }
}

void ghcomp_helper_number_return(struct thread *self)
{
  unsigned number = self->global_number;
  self->global_number = self->own_number;
  if (number != self->own_number)
    store_release(&taken[number - 1], false); /* pairs with the swap in take */
}

void ghcomp_helper_number_after_fork(const struct thread *self)
{
  for (unsigned i = 0; i < HELPER_NUMBERS; i++)
    store_relaxed(&taken[i], self != NULL && self->global_number == i + 1 && self->own_number != i + 1);
}
