/* A member takes another one's values in two reductions in a row, or comes too late for them, or does not wait for them.
   Each value is counted once, and is its member's again as soon as the call returns.
   code: team/reduce.c wait/parking.c.  */
#include "reduce.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_hasty_members();
}

void weak_thread(unsigned number)
{
  be(number);
  int values = 1;
  reduce(number, &values);
  values = 10;
  reduce(number, &values);
}

void weak_end(void)
{
  weak_assert(total == 22);
}
