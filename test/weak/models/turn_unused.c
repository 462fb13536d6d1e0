/* The holder begins its region while the first in the queue finds that the holder's time is over.  Either no region had used
   the turn: then nobody has it, and all that wait decide again, also one that waits behind.  Or one had: then the first has the
   turn, and the other one waits on.
   code: wait/parking.c.  */
#include "turns.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_askers(3);
  be_at(0, 0);
  make_queue(2);
}

void weak_thread(unsigned number)
{
  struct thread *self = be_at(number, 0);
  if (number == 0) {
    ghcomp_turn_begin(self, &body);
    return;
  }
  own.leaps = true;
  ghcomp_turns_wait(self, library, 0, false);
  check_queue(self);
}

void weak_end(void)
{
  bool used = has_turn(&thread[1]->turn);
  weak_assert(used || load_relaxed_at(0, &site->skips) != 0);
  weak_assert((load_relaxed_at(0, &thread[2]->turn.state) == TURN_WAITS) == used);
  weak_assert((library->first == thread[2]) == used && (library->holder == thread[1]) == used);
  weak_assert(!has_turn(&thread[0]->turn) && !has_turn(&thread[2]->turn));
}
