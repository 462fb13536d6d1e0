/* The holder's region begins and ends, and then the holder ends, while the first in the queue finds again and again that the
   holder's time is over.  It has the turn in the end: it was passed on, or was seized.  Never do two threads have it.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_askers(2);
  be_at(0, 0);
  make_queue(1);
  thread[0]->turn.uses = 1; /* a region has used it */
}

static void compute_and_end(struct thread *self)
{
  bool is_told = ghcomp_turn_begin(self, &body);
  weak_assert(is_told);
  check_queue(self);
  ghcomp_turn_end(self);
  ghcomp_turn_abandon(self);
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, 0);
  if (number == 0) {
    compute_and_end(self);
    return;
  }
  own.leaps = true;
  ghcomp_turns_wait(self, library, 0, false);
  weak_assert(has_turn(&self->turn) && library->holder == self);
  check_queue(self);
  ghcomp_turn_abandon(self);
}

void weak_end(void)
{
  expect_nobody_left();
}
