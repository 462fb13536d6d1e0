/* Regions that take all processors run one after the other, who waits is let in, and no wake-up
   is lost: here nobody looks around after a while.
   code: core/parking.c.  */
#include "core/parking.h"
#define ghcomp_parking_sleep_for(self, nanoseconds) ghcomp_parking_sleep(self)
#include "core/admission.c"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 2;
static int inside, rounds; /* plain: regions that are not ordered race here */

unsigned ghcomp_icv_default_threads(void)
{
  return 2;
}

unsigned ghcomp_substrate_host_busy(void)
{
  return 0;
}

bool ghcomp_machine_thread_runs(int number)
{
  (void)number;
  return true;
}

uint64_t ghcomp_machine_thread_computed(int number)
{
  (void)number;
  return 0;
}

struct thread *ghcomp_stats_threads(void)
{
  return NULL;
}

void weak_setup(void)
{
  make_members(2);
  ghcomp_admission_count_masters(2);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  struct admitted mine = ghcomp_admission_enter(self, 2, number != 1);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  weak_assert(inside++ == 0);
  rounds++;
  inside--;
  ghcomp_admission_leave(self, mine.counted);
}

void weak_end(void)
{
  weak_assert(rounds == 2 && queue.taken == 0 && queue.first == NULL && queue.waiting == 0);
}
