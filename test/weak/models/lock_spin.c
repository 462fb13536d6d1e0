/* A thread that waits for a lock looks at it again before it sleeps.
   code: wait/lock.c wait/parking.c.  */
#include "wait/lock.h"
#include "made_team.h"

unsigned weak_threads = 2;
static lock_word lock;
static int counter;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_settings.spin_count_set = true;
  ghcomp_settings.spin_count = 1;
  ghcomp_parking_configure(0, NULL);
  ghcomp_parking_awake(100);
}

void weak_thread(unsigned number)
{
  be(number);
  ghcomp_lock_acquire(&lock);
  counter++;
  ghcomp_lock_release(&lock);
}

void weak_end(void)
{
  weak_assert(counter == 2 && lock == LOCK_FREE);
}
