/* Threads and their Capabilities, in a C program.

   Thread i of an outermost team belongs to Capability i mod N: the RTS has a Task
   for it that names that Capability, so whatever the thread runs in the RTS, it
   runs there.  No Capability is held while C code runs, and no Haskell code
   competes for one, so nobody ever waits for one longer than a registration
   takes.

   A thread takes its Capability once, when it is registered, which shows that
   the RTS gives it that one.  Not so for Capability 0: letting go of it for the
   first time makes the RTS start a thread for it, which nobody here needs.  */
#include "substrate/ghc/capability.h"

#include "base/atomics.h"
#include "substrate/ghc/compat.h"
#include "substrate/spawn.h"

#include <errno.h>
#include <stdlib.h>

static _Atomic unsigned count;

/* 1 + the Capability that this thread belongs to, 0 for none yet.  */
static _Thread_local unsigned mine;

void ghcomp_capability_open(unsigned capabilities)
{
  store_release(&count, capabilities);
}

unsigned ghcomp_capability_count(void)
{
  return load_acquire(&count); /* pairs with ghcomp_capability_open */
}

void ghcomp_capability_belong(unsigned number)
{
  unsigned wanted = number % ghcomp_capability_count();
  if (mine == wanted + 1)
    return;
  bool is_new = mine == 0;
  rts_setInCallCapability((int)wanted, 0);
  if (is_new && wanted != 0)
    rts_unlock(rts_lock());
  mine = wanted + 1;
}

/* The number of the Capability that the RTS gives this thread, -1 for a thread
   that belongs to none.  For `ghcomp info`, demonstrations and tests.  */
__attribute__((visibility("default"))) int ghcomp_rts_capability(void)
{
  if (mine == 0)
    return -1;
  Capability *capability = rts_lock();
  int number = ghcomp_compat_number(capability);
  rts_unlock(capability);
  return number;
}

/* ------------------------------------------------------------------------ threads */

struct beginning {
  void *(*body)(void *);
  void *argument;
};

/* The RTS's Task of the thread ends with the thread.  */
static void *run(void *argument)
{
  struct beginning beginning = *(struct beginning *)argument;
  free(argument);
  void *result = beginning.body(beginning.argument);
  if (mine != 0)
    hs_thread_done();
  return result;
}

int ghcomp_capability_spawn(void *(*body)(void *), void *argument, size_t stack_size, int avoid)
{
  struct beginning *beginning = malloc(sizeof *beginning);
  if (beginning == NULL)
    return ENOMEM;
  *beginning = (struct beginning){body, argument};
  int error = ghcomp_spawn_thread(run, beginning, stack_size, avoid);
  if (error != 0)
    free(beginning);
  return error;
}
