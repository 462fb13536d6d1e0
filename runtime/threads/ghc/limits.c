/* Tries whether the RTS can have what it needs, before it boots, because it ends the process if it
   cannot.  (boot.c catches that, too.)

   Addresses: a limit (ulimit -v) is for the program's data.  An RTS that would take a large part of
   it is not started.

   A thread, which is gone before the first team is made (rts_threads.c).  */
#include "threads/ghc/rts.h"

#include "base/message.h"
#include "machine/process.h"
#include "machine/refusal.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

/* What glibc gives a thread that allocates.  */
#define ARENA ((size_t)64 << 20)

/* The heap, and what the RTS's thread takes.  Twice, so that as much is left.  */
#define ADDRESSES (2 * (GHCOMP_HEAP_KEPT + ARENA + GHCOMP_RTS_STACK))

static bool addresses_can_be_had(char why[GHCOMP_REFUSAL])
{
  uint64_t limit;
  if (GHCOMP_HEAP_IS_SMALL || !ghcomp_machine_address_limit(&limit))
    return !ghcomp_machine_no_memory(why, ADDRESSES, false);
  snprintf(why, GHCOMP_REFUSAL, "the addresses of this process are limited to %" PRIu64 " MB: ulimit -v", limit >> 20);
  return false;
}

static bool thread_can_be_had(char why[GHCOMP_REFUSAL])
{
  int error = ghcomp_rts_threads_prepare();
  if (error != 0)
    ghcomp_machine_no_thread(why, error, GHCOMP_RTS_STACK);
  return error == 0;
}

bool ghcomp_limits_allow(unsigned capabilities)
{
  char why[GHCOMP_REFUSAL];
  const char *what = "";
  if (addresses_can_be_had(why)) {
    what = "a thread could not be created: ";
    if (capabilities == 1 || thread_can_be_had(why))
      return true;
  }
  ghcomp_message_say("GHC's runtime system is not started (%s%s): plain threads are used instead of Capabilities", what, why);
  return false;
}
