/* A thread that has the turn ends in the middle of its region, and its descriptor is used again at once.  Meanwhile the first
   in the queue looks at it, gets the turn, and ends, too.  Then a thread that waits behind has the turn.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_askers(3);
  be_at(0, 0);
  make_queue(2);
  weak_assert(ghcomp_turn_begin(thread[0], &body));
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, 0);
  if (number != 0) {
    own.leaps = true;
    ghcomp_turns_wait(self, library, 0, false);
    weak_assert(has_turn(&self->turn));
  }
  ghcomp_turn_abandon(self);
  self->turn.uses = 7; /* the next user of the descriptor */
}

void weak_end(void)
{
  check_queue(thread[2]);
  weak_assert(library->holder == thread[2] && library->waiting == 0 && library->running == 0);
}
