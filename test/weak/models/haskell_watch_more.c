/* As haskell_watch, with so many contexts that the free one is in the list behind the lock.
   code: wait/lock.c wait/parking.c cbits/LoopWatch.c.  */
#include "cbits/LoopContext.c"
#include "loop_context.h"

int ghcomp_watch_wake(void);
HsBool ghcomp_watch_will_sleep(void);

unsigned weak_threads = 2;
static bool sleeps, woken;

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
    sleeps = ghcomp_watch_will_sleep();
  else if (ghcomp_loop_lacks_watcher(take_more_free()))
    woken = ghcomp_watch_wake() != 2;
}

void weak_end(void)
{
  weak_assert(!sleeps || woken);
}
