/* A settled task group is to be watched again, while the thread that watches is about to sleep.
   code: wait/lock.c wait/parking.c cbits/LoopWatch.c.  */
#include "cbits/LoopContext.c"
#include "loop_context.h"

HsBool ghcomp_watch_again(struct loop_worker *);
int ghcomp_watch_wake(void);
HsBool ghcomp_watch_will_sleep(void);

unsigned weak_threads = 2;
static bool sleeps, woken;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_watch_wake();
  all = make_loop_context(2);
  all->watch = WATCH_SETTLED;
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 1)
    sleeps = ghcomp_watch_will_sleep();
  else if (ghcomp_watch_again(&all->worker[0]))
    woken = ghcomp_watch_wake() != 2;
}

void weak_end(void)
{
  weak_assert(!sleeps || woken);
}
