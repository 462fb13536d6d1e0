/* Threads without GHC: the reference that tells what GHC costs, what a forked
   child uses, and what serves where no RTS may run.  */
#include "threads/substrate.h"

static const char *describe(void)
{
  return "pthread: POSIX threads, no Haskell runtime";
}

static bool start(unsigned capabilities)
{
  (void)capabilities;
  return true;
}

static unsigned capabilities(void)
{
  return 0;
}

static void serve_as(unsigned number)
{
  (void)number;
}

const struct substrate ghcomp_substrate_pthread = {
    .name = "pthread",
    .describe = describe,
    .start = start,
    .capabilities = capabilities,
    .spawn = ghcomp_spawn_thread,
    .serve_as = serve_as,
};
