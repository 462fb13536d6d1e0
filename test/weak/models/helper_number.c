/* Two tasks for a device at a time have different numbers.  A task sees what the last one did that had its number.
   code: team/helper_number.c.  */
#include "team/helper_number.h"
#include "weak.h"

static struct thread threads[3];
static int copies[HELPER_NUMBERS + 1]; /* as of a threadprivate variable */

unsigned weak_threads = 3;

void weak_setup(void)
{
  for (unsigned i = 0; i < weak_threads; i++)
    threads[i].own_number = 20 + i;
}

void weak_thread(unsigned number)
{
  struct thread *self = &threads[number];
  unsigned mine = ghcomp_helper_number_take(self);
  weak_assert(mine >= 1 && mine <= HELPER_NUMBERS);
  copies[mine]++;
  ghcomp_helper_number_return(self, mine);
}

void weak_end(void)
{
  int all = 0;
  for (int i = 1; i <= HELPER_NUMBERS; i++)
    all += copies[i];
  weak_assert(all == 3);
}
