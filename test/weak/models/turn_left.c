/* The holder has left: its region ended long ago.  It asks again while another thread finds the turn free and takes it.  One
   of them has the turn first, and the other one after it.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_askers(2);
  be_at(0, 0);
  make_queue(0);
  thread[0]->turn.uses = 1;
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, 2 * BETWEEN_NS);
  ghcomp_turn_ask(self, &place, MANY);
  compute_alone(self);
  ghcomp_turn_abandon(self);
}

void weak_end(void)
{
  expect_nobody_left();
}
