/* Numbers of tasks for a device: see helper_number.h.

   Invariant: holders[i] is the thread that executes the task with the number first + i, or NULL.  */
#include "team/helper_number.h"

struct helper_numbers ghcomp_helper_numbers = {1, USUAL_HELPERS, USUAL_HELPERS};

static _Atomic(struct thread *) holders[MOST_HELPERS];
static _Atomic unsigned turn; /* where the next search begins; a hint */

void ghcomp_helper_number_keep(unsigned count)
{
  ghcomp_helper_numbers = (struct helper_numbers){2, count, count != 0 ? count + 1 : 0};
}

/* The one that is taken, counted from 0; `count`: none is free.  */
static unsigned take_free(struct thread *self, unsigned count)
{
  unsigned begin = count != 0 ? add_relaxed(&turn, 1) % count : 0;
  for (unsigned i = 0; i < count; i++) {
    unsigned n = (begin + i) % count;
    struct thread *none = NULL;
    if (load_relaxed(&holders[n]) == NULL && cas_acquire(&holders[n], &none, self)) /* pairs with return */
      return n;
  }
  return count;
}

void ghcomp_helper_number_take(struct thread *self, struct helper_number *taken)
{
  struct helper_numbers all = ghcomp_helper_numbers;
  unsigned n = take_free(self, all.count);
  taken->number = n < all.count ? all.first + n : self->own_number;
  taken->bound = false;
  if (unlikely(ghcomp_places_for_helpers) && n < all.count)
    taken->bound = ghcomp_places_enter_helper(n, taken->number, &taken->before);
}

void ghcomp_helper_number_return(const struct thread *self, const struct helper_number *taken)
{
  if (unlikely(taken->bound))
    ghcomp_places_leave_helper(&taken->before);
  if (taken->number != self->own_number)
    store_release(&holders[taken->number - ghcomp_helper_numbers.first], NULL); /* pairs with take */
}

void ghcomp_helper_number_after_fork(const struct thread *self)
{
  for (unsigned i = 0; i < ghcomp_helper_numbers.count; i++)
    if (load_relaxed(&holders[i]) != self)
      store_relaxed(&holders[i], NULL);
}
