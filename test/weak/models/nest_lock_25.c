/* The nestable lock of old binaries: the word of the lock is its owner.
   code: wait/lock.c wait/parking.c.  */
#include "wait/lock.h"
#include "made_team.h"

unsigned weak_threads = 3;
static struct nest_lock_25 lock;
static int counter;

int ghcomp_machine_thread(void)
{
  return (int)(100 + ghcomp_self_pointer->member->number);
}

void weak_setup(void)
{
  make_members(weak_threads);
}

void weak_thread(unsigned number)
{
  be(number);
  weak_assert(ghcomp_lock_nest25_acquire(&lock) == 1);
  weak_assert(ghcomp_lock_nest25_try(&lock) == 2);
  counter++;
  ghcomp_lock_nest25_release(&lock);
  ghcomp_lock_nest25_release(&lock);
}

void weak_end(void)
{
  weak_assert(counter == 3 && lock.owner == 0);
}
