/* The substrate in a Haskell program that is linked with -threaded.

   This file does not boot, configure or shut down the program's RTS, and uses no symbol of it.
   (After a second hs_init the program's buffered output would be lost.)  Workers are neither pinned
   to Capabilities nor registered: a pinned worker would wait for a busy Capability, and C code
   needs none.  A worker that runs Haskell code is registered by that call.  When the worker ends,
   the RTS frees what it keeps of it.  */
#include "threads/host.h"
#include "threads/substrate.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/process.h"

#include <errno.h>
#include <stdio.h>

/* ---------------------------------------------------------- Capabilities at work */

/* The RTS sets a Capability's thread by a plain store.  */
static bool runs_haskell(const char *capability)
{
  return load_relaxed((void *const _Atomic *)(capability + ghcomp_host_current_thread)) != NULL;
}

unsigned ghcomp_host_busy(unsigned unknown)
{
  unsigned count = ghcomp_host_capabilities(), busy = 0;
  const char *const *all = count != 0 ? ghcomp_host_capability_list() : NULL;
  if (all == NULL)
    return unknown;
  for (unsigned i = 0; i < count; i++)
    busy += runs_haskell(all[i]);
  return busy;
}

/* Which Capabilities there are among those that run no Haskell thread.  */
struct kinds {
  bool due;  /* without an OS thread, with Haskell threads in the run queue */
  bool free; /* without an OS thread */
  bool held; /* with one */
};

/* The RTS writes these fields by plain stores, too.  If the number is another one, this is not an RTS whose fields are
   known.  */
static void look(struct kinds *seen, const char *capability, unsigned number)
{
  const char *fields = capability + ghcomp_host_number;
  if (load_relaxed((const _Atomic uint32_t *)fields) != number || runs_haskell(capability))
    return;
  if (load_relaxed((void *const _Atomic *)(fields + AFTER_NUMBER_TASK)) != NULL) {
    seen->held = true;
    return;
  }
  seen->free = true;
  seen->due |= load_relaxed((const _Atomic uint32_t *)(fields + AFTER_NUMBER_RUN_QUEUE)) != 0;
}

bool ghcomp_host_waits(void)
{
  unsigned count = ghcomp_host_number != 0 ? ghcomp_host_capabilities() : 0;
  const char *const *all = count != 0 ? ghcomp_host_capability_list() : NULL;
  struct kinds seen = {0};
  for (unsigned i = 0; all != NULL && i < count && !seen.due; i++)
    look(&seen, all[i], i);
  return seen.due || (seen.free && seen.held);
}

unsigned ghcomp_host_busy_from_outside(void)
{
  unsigned count = ghcomp_host_capabilities();
  const char *const *all = count != 0 ? ghcomp_host_capability_list() : NULL;
  return all != NULL ? ghcomp_machine_count_set(all, count, ghcomp_host_current_thread) : 0;
}

/* -------------------------------------------------------------------- the substrate */

static const char *describe(void)
{
  static char text[96];
  unsigned count = ghcomp_host_capabilities();
  if (count == 0)
    return "ghc: this Haskell program's runtime system, which does not run yet";
  snprintf(text, sizeof text, "ghc: this Haskell program's own runtime system, %u %s", count,
           count == 1 ? "Capability" : "Capabilities");
  return text;
}

static bool start(unsigned capabilities)
{
  (void)capabilities;
  return true;
}

struct beginning {
  void *(*body)(void *);
  void *argument;
};

static void *run(void *data)
{
  struct beginning beginning = *(struct beginning *)data;
  ghcomp_memory_release(data);
  void *result = beginning.body(beginning.argument);
  ghcomp_host_thread_ends();
  return result;
}

static int spawn(void *(*body)(void *), void *argument, size_t stack_size)
{
  struct beginning *beginning = ghcomp_memory_try(sizeof *beginning);
  if (beginning == NULL)
    return ENOMEM;
  *beginning = (struct beginning){body, argument};
  int error = ghcomp_spawn_thread(run, beginning, stack_size);
  if (error != 0)
    ghcomp_memory_release(beginning);
  return error;
}

static void serve_as(unsigned number)
{
  (void)number;
}

const struct substrate ghcomp_host_substrate = {
    .name = "ghc",
    .describe = describe,
    .start = start,
    .capabilities = ghcomp_host_capabilities,
    .spawn = spawn,
    .serve_as = serve_as,
};
