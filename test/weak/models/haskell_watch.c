/* The caller of a Haskell loop takes a context and begins a loop, while the thread that watches is about to sleep.  The caller wakes
   it, or it stays awake.
   code: wait/lock.c wait/parking.c cbits/LoopWatch.c.  */
#include "cbits/LoopContext.c"
#include "loop_context.h"
#include "haskell_watch.h"

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_watch_wake();
  struct loop_context *context = make_loop_context(2);
  all = context;
  ghcomp_loop_give(context);
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 1)
    watcher_sleeps();
  else
    wake_if(ghcomp_loop_lacks_watcher(take_free()));
}
