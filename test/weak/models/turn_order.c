/* Two threads wait, and the holder ends.  They get the turn one after the other, in their order, and neither is lost.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 3;
static unsigned turns; /* plain: so far */

void weak_setup(void)
{
  make_askers(3);
  be_at(0, 0);
  make_queue(2);
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, 0);
  if (number != 0)
    ghcomp_turns_wait(self, library, number - 1, false);
  compute_alone(self);
  weak_assert(turns++ == number);
  ghcomp_turn_abandon(self);
}

void weak_end(void)
{
  expect_nobody_left();
  weak_assert(turns == 3);
}
