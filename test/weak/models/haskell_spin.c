/* The caller of a Haskell loop does not sleep.  It checks again and again whether the helper has
   left.
   code: cbits/Loop.c wait/parking.c.  */
#include "loop_context.h"

unsigned weak_threads = 2;
static struct loop_context *context;
static int result;

HsBool ghcomp_loop_leave(struct loop_worker *);
uint32_t ghcomp_loop_wait(struct loop_context *);

void weak_setup(void)
{
  make_members(2);
  context = make_loop_context(2);
  context->state = STATE_CLOSED | 1;
}

void weak_thread(unsigned number)
{
  if (number == 1) {
    result = 1;
    ghcomp_loop_leave(&context->worker[1]);
  } else if (ghcomp_loop_wait(context) == 0)
    weak_assert(result == 1);
}

void weak_end(void)
{
}
