/* Threads and their Capabilities, in a C program.

   Thread i of an outermost team belongs to Capability i mod N.  The RTS learns of it when the thread
   first enters the RTS.  Then it makes a Task for the thread that names this Capability, so everything that the
   thread runs in the RTS runs there.  No thread holds a Capability while it runs C code, and no Haskell code
   competes for one.

   Most threads never enter the RTS.  A Task is a block of memory that the thread itself allocates, for
   which the C library would give it an arena of its own: 64 MB of addresses.  For the same reason the
   number is not in a thread-local variable, because the loader allocates those of a library that is
   loaded late.  */
#include "threads/ghc/rts.h"

#include "base/atomics.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static _Atomic unsigned count;

/* What the key gives for a thread: its Capability, and whether the RTS has a Task for it.  The Task
   ends with the thread.  */
static pthread_key_t key;
static bool has_key; /* false: no thread belongs to a Capability */
static _Atomic pid_t process; /* whose threads are registered; a forked child does not use the RTS */

enum { REGISTERED = 1, SHIFT = 1 };

static uintptr_t belonging(unsigned capability, uintptr_t registered)
{
  return (uintptr_t)(capability + 1) << SHIFT | registered;
}

static void set_mine(uintptr_t value)
{
  pthread_setspecific(key, (void *)value);
}

static uintptr_t mine(void)
{
  return has_key ? (uintptr_t)pthread_getspecific(key) : 0;
}

static void thread_ends(void *value)
{
  if (((uintptr_t)value & REGISTERED) != 0 && getpid() == load_relaxed(&process))
    hs_thread_done();
}

void ghcomp_capability_open(unsigned capabilities)
{
  has_key = pthread_key_create(&key, thread_ends) == 0;
  store_release(&count, capabilities);
}

unsigned ghcomp_capability_count(void)
{
  return load_acquire(&count); /* pairs with ghcomp_capability_open */
}

void ghcomp_capability_serve_as(unsigned number)
{
  unsigned wanted = number % ghcomp_capability_count();
  uintptr_t registered = mine() & REGISTERED;
  if (!has_key || mine() == belonging(wanted, registered))
    return;
  if (registered)
    rts_setInCallCapability((int)wanted, 0);
  set_mine(belonging(wanted, registered));
}

static void register_self(void)
{
  store_relaxed(&process, getpid()); /* the same for all threads */
  rts_setInCallCapability((int)(mine() >> SHIFT) - 1, 0);
  set_mine(mine() | REGISTERED);
}

/* The number of the Capability that the RTS gives this thread; -1: the thread belongs to none.  For
   `ghcomp info`, demonstrations and tests.  */
__attribute__((visibility("default"))) int ghcomp_rts_capability(void)
{
  if (mine() == 0)
    return -1;
  if ((mine() & REGISTERED) == 0)
    register_self();
  Capability *capability = rts_lock();
  int number = ghcomp_compat_number(capability);
  rts_unlock(capability);
  return number;
}
