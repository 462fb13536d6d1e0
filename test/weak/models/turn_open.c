/* Two regions run at a time, so the library has no lock, while another thread asks.  That thread does not wait, or is let
   go, and nobody has the turn.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 2;

/* The third thread has the turn and is in its region.  */
void weak_setup(void)
{
  make_askers(3);
  be_at(2, 0);
  ghcomp_turns_give(thread[2], library);
  thread[2]->turn.site = thread[2]->turn.at = site;
  weak_assert(ghcomp_turn_begin(thread[2], &body));
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, 0);
  if (number == 0) {
    ghcomp_turn_begin(self, &body);
    ghcomp_turn_end(self);
  } else {
    ghcomp_turn_ask(self, &place, MANY);
    weak_assert(!has_turn(&self->turn) && load_relaxed_at(0, &library->lock) == LOCK_NONE);
  }
  check_queue(self);
}

void weak_end(void)
{
  ghcomp_turn_end(thread[2]);
  expect_nobody_left();
}
