/* Threads and their Capabilities, in a C program.

   Thread i of an outermost team belongs to Capability i mod N.  The RTS has a Task for the thread
   that names this Capability, so everything that the thread runs in the RTS runs there.  No thread
   holds a Capability while it runs C code, and no Haskell code competes for one.  So a thread waits
   for a Capability no longer than a registration takes.

   A thread takes its Capability once, when it is registered, to check that the RTS gives it that
   one.  Exception: Capability 0.  When it is released for the first time, the RTS starts a thread
   for it, which is not needed here.  */
#include "threads/ghc/rts.h"

#include "base/atomics.h"
#include "threads/ghc/rts.h"

#include <pthread.h>
#include <unistd.h>

static _Atomic unsigned count;

/* 1 + the Capability that this thread belongs to, 0 for none yet.  */
static _Thread_local unsigned mine;

/* The RTS's Task of a worker or master ends with the thread.  For that the key has a value in each
   thread that belongs to a Capability.  */
static pthread_key_t at_end;
static bool has_key; /* false: the Tasks stay, about two hundred bytes each */
static pid_t process; /* the process that booted the RTS; a forked child does not use it */

static void thread_ends(void *nothing)
{
  (void)nothing;
  mine = 0; /* a destructor that runs later may start a region */
  if (getpid() == process)
    hs_thread_done();
}

void ghcomp_capability_open(unsigned capabilities)
{
  process = getpid();
  has_key = pthread_key_create(&at_end, thread_ends) == 0;
  store_release(&count, capabilities);
}

unsigned ghcomp_capability_count(void)
{
  return load_acquire(&count); /* pairs with ghcomp_capability_open */
}

void ghcomp_capability_serve_as(unsigned number)
{
  unsigned wanted = number % ghcomp_capability_count();
  if (mine == wanted + 1)
    return;
  bool is_new = mine == 0;
  rts_setInCallCapability((int)wanted, 0);
  if (is_new && wanted != 0)
    rts_unlock(rts_lock());
  if (is_new && has_key)
    pthread_setspecific(at_end, &mine);
  mine = wanted + 1;
}

/* The number of the Capability that the RTS gives this thread; -1: the thread belongs to none.  For
   `ghcomp info`, demonstrations and tests.  */
__attribute__((visibility("default"))) int ghcomp_rts_capability(void)
{
  if (mine == 0)
    return -1;
  Capability *capability = rts_lock();
  int number = ghcomp_compat_number(capability);
  rts_unlock(capability);
  return number;
}
