/* A member takes another one's values and gives them to a third with its own.
   code: team/reduce.c wait/parking.c.  */
#include "reduce.h"

unsigned weak_threads = 3;
static const unsigned played[] = {0, 2, 3};

void weak_setup(void)
{
  make_hasty_members();
}

void weak_thread(unsigned number)
{
  be(played[number]);
  int values = (int)number + 1;
  reduce(played[number], &values);
}

void weak_end(void)
{
  weak_assert(total == 6);
}
