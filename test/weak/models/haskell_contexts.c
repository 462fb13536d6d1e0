/* Three callers of Haskell loops take the only free context and give it back.  One caller at a time
   has it, and sees what the previous one wrote.
   code: wait/lock.c wait/parking.c cbits/LoopWatch.c.  */
#include "cbits/LoopContext.c"
#include "loop_context.h"

unsigned weak_threads = 3;
static int uses;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_loop_give(make_loop_context(2));
}

void weak_thread(unsigned number)
{
  be(number);
  struct loop_context *context = take_free();
  if (context == NULL)
    return;
  context->count++;
  uses++;
  ghcomp_loop_give(context);
}

void weak_end(void)
{
  struct loop_context *context = take_free();
  weak_assert(context->count == uses && take_free() == NULL);
}
