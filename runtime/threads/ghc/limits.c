/* Tries whether the RTS can have what it needs, before it boots, because it ends the process if it
   cannot. (boot.c catches that, too, but then the threads that the RTS did get stay.)

   Threads: one for each Capability but the first, and as many again for the team that the process is about to make.  (A larger
   team has its threads already: team/hot.c.)  A small allowance (ulimit -u, a container's pids limit) is for the program's
   threads, not for GHC's.

   Addresses: a limit (ulimit -v) is for the program's data.  An RTS that would take a large part of
   it is not started.  */
#include "threads/ghc/rts.h"

#include "base/message.h"
#include "machine/disturbance.h"
#include "machine/process.h"
#include "machine/refusal.h"
#include "machine/thread.h"

#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *wait_for_release(void *gate)
{
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* Starts so many threads at once, with stacks of the same size as the RTS's.  False: `why` says why it failed.  */
static bool try_threads(char why[GHCOMP_REFUSAL], unsigned count)
{
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[2 * GHCOMP_MOST_CAPABILITIES];
  unsigned made = 0;
  int error = 0;
  struct held held = ghcomp_machine_hold(); /* no handler runs on them */
  pthread_mutex_lock(&gate);
  while (made < count && error == 0) {
    error = pthread_create(&threads[made], NULL, wait_for_release, &gate);
    made += error == 0;
  }
  if (error != 0) /* while the other threads exist */
    ghcomp_machine_no_thread(why, error, ghcomp_machine_usual_stack());
  pthread_mutex_unlock(&gate);
  for (unsigned i = 0; i < made; i++)
    pthread_join(threads[i], NULL);
  ghcomp_machine_let(held);
  return error == 0;
}

/* What glibc gives each thread that allocates.  */
#define ARENA ((size_t)64 << 20)

/* The heap, and for each thread of the RTS its stack and arena.  Twice, so that as much is left.  */
static size_t addresses_for(unsigned capabilities)
{
  return 2 * (GHCOMP_HEAP_KEPT + (capabilities - 1) * (ARENA + ghcomp_machine_usual_stack()));
}

static bool addresses_can_be_had(char why[GHCOMP_REFUSAL], unsigned capabilities)
{
  uint64_t limit;
  if (GHCOMP_HEAP_IS_SMALL || !ghcomp_machine_address_limit(&limit))
    return !ghcomp_machine_no_memory(why, addresses_for(capabilities), false);
  snprintf(why, GHCOMP_REFUSAL, "the addresses of this process are limited to %" PRIu64 " MB: ulimit -v", limit >> 20);
  return false;
}

bool ghcomp_limits_allow(unsigned capabilities)
{
  char why[GHCOMP_REFUSAL];
  const char *what = "";
  if (addresses_can_be_had(why, capabilities)) {
    what = "a thread could not be created: ";
    if (try_threads(why, 2 * (capabilities - 1)))
      return true;
  }
  ghcomp_message_say("GHC's runtime system is not started (%s%s): plain threads are used instead of Capabilities", what, why);
  return false;
}
