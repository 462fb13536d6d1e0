/* Two regions that take all processors run one after the other.  The waiting master gets its turn,
   and no wake-up is lost.
   code: wait/parking.c.  */
#include "admission.h"

void weak_setup(void)
{
  set_up_masters();
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  struct admitted mine = ghcomp_admission_enter(self, 2, number != 1, false);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  weak_assert(inside++ == 0);
  rounds++;
  inside--;
  ghcomp_admission_leave(self, mine.counted);
}

void weak_end(void)
{
  expect_nothing_left(2);
}
