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
    threads[i].own_number = threads[i].global_number = 20 + i;
}

void weak_thread(unsigned number)
{
  struct thread *self = &threads[number];
  ghcomp_helper_number_take(self);
  weak_assert(ghcomp_helper_number_is_taken(self));
  copies[self->global_number]++;
  ghcomp_helper_number_return(self);
  weak_assert(self->global_number == 20 + number);
}

void weak_end(void)
{
  int all = 0;
  for (int i = 1; i <= HELPER_NUMBERS; i++)
    all += copies[i];
  weak_assert(all == 3);
}
