/* A task takes a nestable lock again while it holds it; another task must wait.
   code: wait/lock.c wait/parking.c.  */
#include "wait/lock.h"
#include "made_team.h"

unsigned weak_threads = 2;
static struct nest_lock lock;
static int counter;

void weak_setup(void)
{
  make_members(weak_threads);
}

void weak_thread(unsigned number)
{
  be(number);
  weak_assert(ghcomp_lock_nest_acquire(&lock, thread[number]) == 1);
  weak_assert(ghcomp_lock_nest_try(&lock, thread[number]) == 2);
  counter++;
  ghcomp_lock_nest_release(&lock);
  ghcomp_lock_nest_release(&lock);
  if (ghcomp_lock_nest_try(&lock, thread[number]) == 1) {
    counter += 10;
    ghcomp_lock_nest_release(&lock);
  }
}

void weak_end(void)
{
  weak_assert(counter % 10 == 2 && lock.lock == LOCK_FREE);
}
