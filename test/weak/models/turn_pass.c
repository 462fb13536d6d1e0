/* The holder asks again when its series is over, and passes the turn if another thread waits.  That thread gets it, and
   passes it on when it ends.  No wake-up is lost, and one thread at a time has the turn.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_askers(2);
  be_at(0, 0);
  make_queue(0);
  thread[0]->turn.uses = 1; /* a region has used it */
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, SERIES_IS_OVER);
  ghcomp_turn_ask(self, &place, MANY);
  compute_alone(self);
  ghcomp_turn_abandon(self);
}

void weak_end(void)
{
  expect_nobody_left();
}
