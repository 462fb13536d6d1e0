/* As haskell_watch, with so many contexts that the free one is in the list behind the lock.
   code: wait/lock.c wait/parking.c cbits/LoopWatch.c.  */
#include "cbits/LoopContext.c"
#include "loop_context.h"
#include "haskell_watch.h"

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_watch_wake();
  all = more_free_contexts = make_loop_context(2);
  all->in_more_free = true;
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 1)
    watcher_sleeps();
  else
    wake_if(ghcomp_loop_lacks_watcher(take_more_free()));
}
