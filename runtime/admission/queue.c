#include "admission/queue.h"

#include "base/cycles.h"
#include "wait/lock.h"
#include "wait/parking.h"
#include "wait/running.h"

OWN_LOCK(lock);

void ghcomp_turns_lock(void)
{
  ghcomp_lock_own(&lock.word);
}

void ghcomp_turns_unlock(struct thread *wakes)
{
  ghcomp_unlock_own(&lock.word);
  if (wakes != NULL)
    ghcomp_parking_wake(&wakes->waiter);
}

__attribute__((noinline)) uint64_t ghcomp_turns_now(void)
{
  return cycles_now();
}

static void lose(struct thread *holder)
{
  store_relaxed(&holder->turn.state, TURN_NONE);
  holder->turn.of->holder = NULL;
}

void ghcomp_turns_renew(struct thread *holder)
{
  holder->turn.of->keeps = BETWEEN_NS;
  holder->turn.of->asked = ghcomp_turns_now();
  holder->turn.uses = 0;
}

void ghcomp_turns_give(struct thread *thread, struct library *library)
{
  if (library->holder != NULL)
    lose(library->holder);
  library->holder = thread;
  thread->turn.of = library;
  ghcomp_turns_renew(thread);
  library->series_end = library->asked + cycles_in(SERIES_NS);
  swap_seq_cst(&thread->turn.state, TURN_HELD); /* pairs with the load in ghcomp_turns_wait */
}

/* Requires: there is one.  */
static struct thread *withdraw_first(struct library *library)
{
  struct thread *first = library->first;
  library->first = first->turn.next;
  if (library->first == NULL)
    library->last = NULL;
  library->waiting--;
  return first;
}

struct thread *ghcomp_turns_pass(struct thread *holder)
{
  struct library *library = holder->turn.of;
  lose(holder);
  if (library->first == NULL)
    return NULL;
  struct thread *next = withdraw_first(library);
  ghcomp_library_waited_well(library);
  add_relaxed(&ghcomp_running.turns, 1);
  ghcomp_turns_give(next, library);
  return next;
}

unsigned ghcomp_turns_append(struct thread *self, struct library *library)
{
  self->turn.of = library;
  self->turn.next = NULL;
  store_relaxed(&self->turn.state, TURN_WAITS);
  if (library->last != NULL)
    library->last->turn.next = self;
  else
    library->first = self;
  library->last = self;
  return library->waiting++;
}

unsigned ghcomp_turns_ahead(const struct thread *self)
{
  unsigned ahead = 0;
  for (const struct thread *thread = self->turn.of->first; thread != self; thread = thread->turn.next)
    ahead++;
  return ahead;
}

void ghcomp_turns_seize(struct thread *first)
{
  struct library *library = first->turn.of;
  withdraw_first(library);
  ghcomp_turns_give(first, library);
}

/* Each wake-up is made under the lock, because a thread that has left the queue may be in another one at once.  It happens a
   few times in the life of a library.  */
void ghcomp_turns_open(struct library *library)
{
  if (library->holder != NULL)
    lose(library->holder);
  while (library->first != NULL) {
    struct thread *next = withdraw_first(library);
    swap_seq_cst(&next->turn.state, TURN_NONE); /* pairs with the load in ghcomp_turns_wait */
    ghcomp_parking_wake(&next->waiter);
  }
}
