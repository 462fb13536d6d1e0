/* The next holder of a lock sees what the lock guards.  No thread sleeps for ever.
   code: wait/lock.c wait/parking.c.  */
#include "wait/lock.h"
#include "made_team.h"

unsigned weak_threads = 3;
static lock_word lock;
static int counter;

void weak_setup(void)
{
  make_members(weak_threads);
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
  weak_assert(counter == 3 && lock == LOCK_FREE);
}
