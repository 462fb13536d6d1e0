/* What the RTS needs is tried before it boots, because it ends the process when
   it cannot have it.  (boot.c catches that too, but then the threads that it did
   get stay.)

   Threads: one for each Capability but the first, and as many again for the
   team that the process is about to make: a small allowance (ulimit -u, a
   container's pids limit) is for the program's threads, not for GHC's.

   Addresses: a limit (ulimit -v) is for the program's data.  An RTS that takes a
   large part of it is not started.  */
#include "substrate/ghc/limits.h"

#include "base/message.h"
#include "substrate/ghc/compat.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define SMALL_STACK ((size_t)64 << 10)

static void *wait_for_release(void *gate)
{
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* So many threads at once.  */
static bool threads_can_be_had(unsigned count)
{
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[2 * GHCOMP_MOST_CAPABILITIES];
  pthread_attr_t attributes;
  unsigned made = 0;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setstacksize(&attributes, SMALL_STACK);
  pthread_mutex_lock(&gate);
  while (made < count &&
         pthread_create(&threads[made], &attributes, wait_for_release, &gate) == 0)
    made++;
  pthread_mutex_unlock(&gate);
  for (unsigned i = 0; i < made; i++)
    pthread_join(threads[i], NULL);
  pthread_attr_destroy(&attributes);
  return made == count;
}

/* Nursery, tables and the stacks of the RTS's threads, generously.  */
#define ADDRESSES ((size_t)512 << 20)

static bool addresses_can_be_had(void)
{
  struct rlimit limit;
  if (!GHCOMP_HEAP_IS_SMALL && getrlimit(RLIMIT_AS, &limit) == 0 &&
      limit.rlim_cur != RLIM_INFINITY)
    return false;
  void *space = mmap(NULL, ADDRESSES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
  if (space == MAP_FAILED)
    return false;
  munmap(space, ADDRESSES);
  return true;
}

static bool refuse(const char *why)
{
  ghcomp_message_say("GHC's runtime system is not started, because %s: plain threads are used "
                     "instead of Capabilities", why);
  return false;
}

bool ghcomp_limits_allow(unsigned capabilities)
{
  if (!addresses_can_be_had())
    return refuse("the address space of this process is limited (ulimit -v)");
  if (!threads_can_be_had(2 * (capabilities - 1)))
    return refuse("this process may have too few threads (ulimit -u, or a container's limit)");
  return true;
}
