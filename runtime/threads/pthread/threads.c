/* Threads without GHC: for a forked child, where no RTS may run, where GHC is not wanted, and for
   measuring what GHC costs.  */
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
