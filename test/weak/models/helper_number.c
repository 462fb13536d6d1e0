/* Two tasks for a device at a time have different numbers.  A task sees what the last one did that had its number.
   There are two numbers for three threads, so one thread may keep its own.
   code: team/helper_number.c.  */
#include "team/helper_number.h"
#include "weak.h"

enum { OWN = 20, NUMBERS = 2 };

static struct thread threads[3];
static int copies[OWN + 3]; /* as of a threadprivate variable */

unsigned weak_threads = 3;

/* Nothing is bound.  */
bool ghcomp_places_for_helpers;
bool ghcomp_places_enter_helper(unsigned n, unsigned number, struct processor_set *before)
{
  (void)n, (void)number, (void)before;
  return false;
}
void ghcomp_places_leave_helper(const struct processor_set *before)
{
  (void)before;
}

void weak_setup(void)
{
  ghcomp_helper_number_keep(NUMBERS);
  for (unsigned i = 0; i < weak_threads; i++)
    threads[i].own_number = OWN + i;
}

void weak_thread(unsigned number)
{
  struct thread *self = &threads[number];
  struct helper_number mine;
  ghcomp_helper_number_take(self, &mine);
  weak_assert((mine.number >= 2 && mine.number <= NUMBERS + 1) || mine.number == OWN + number);
  copies[mine.number]++;
  ghcomp_helper_number_return(self, &mine);
}

void weak_end(void)
{
  int all = 0;
  for (int i = 0; i < OWN + 3; i++)
    all += copies[i];
  weak_assert(all == 3);
}
