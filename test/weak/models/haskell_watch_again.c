/* A settled task group is to be watched again, while the thread that watches is about to sleep.
   code: wait/lock.c wait/parking.c cbits/LoopWatch.c.  */
#include "cbits/LoopContext.c"
#include "loop_context.h"
#include "haskell_watch.h"

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
    watcher_sleeps();
  else
    wake_if(ghcomp_watch_again(&all->worker[0]));
}
