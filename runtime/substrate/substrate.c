/* Which substrate a process gets, and when.

   In force until the first region that needs a second thread: none.  Then, once:
   what GHCOMP_SUBSTRATE asks for; in a Haskell host the host's own RTS; else the
   GHC substrate, a library beside ours that is loaded with local symbols (its
   stand-ins for Haskell's base library must not be seen by anybody else); else,
   with one message that says why, plain threads.  */
#include "substrate/substrate.h"

#include "base/atomics.h"
#include "base/message.h"
#include "substrate/host.h"
#include "substrate/spawn.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct substrate *) current;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------- in a threaded Haskell host */

static const char *describe_host(void)
{
  return "ghc: the Capabilities of this Haskell program";
}

static bool start_host(unsigned capabilities)
{
  (void)capabilities;
  return true;
}

/* Workers are neither pinned nor registered: a pinned one would wait for a busy
   Capability, and C code needs none.  */
static void belong_host(unsigned number)
{
  (void)number;
}

static const struct substrate haskell_host = {
    .name = "ghc",
    .describe = describe_host,
    .start = start_host,
    .capabilities = ghcomp_host_capabilities,
    .spawn = ghcomp_spawn_thread,
    .belong = belong_host,
};

/* ---------------------------------------------------------------- in a C host */

#define RTS_LIBRARY "libghcomp_rts.so"

/* Beside this library, unless GHCOMP_RTS_LIBRARY names another place.  */
static bool find_library(char *path, size_t size)
{
  const char *given = getenv("GHCOMP_RTS_LIBRARY");
  if (given != NULL && *given != '\0')
    return snprintf(path, size, "%s", given) < (int)size;
  Dl_info info;
  if (dladdr((void *)find_library, &info) == 0 || info.dli_fname == NULL)
    return false;
  const char *slash = strrchr(info.dli_fname, '/');
  int length = slash != NULL ? (int)(slash - info.dli_fname) + 1 : 0;
  return snprintf(path, size, "%.*s%s", length, info.dli_fname, RTS_LIBRARY) < (int)size;
}

static const struct substrate *load_ghc(void)
{
  char path[PATH_MAX];
  if (!find_library(path, sizeof path)) {
    ghcomp_message_say("the folder of the runtime is not known, so " RTS_LIBRARY
                       " cannot be found: plain threads are used instead of GHC's Capabilities");
    return NULL;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct substrate *ghc = library != NULL ? dlsym(library, "ghcomp_rts_substrate") : NULL;
  if (ghc == NULL) {
    const char *why = dlerror();
    ghcomp_message_say("GHC's runtime system cannot be loaded (%s): plain threads are used "
                       "instead of Capabilities", why != NULL ? why : path);
  }
  return ghc;
}

/* --------------------------------------------------------------------- the choice */

enum wish { WISH_DEFAULT, WISH_GHC, WISH_PTHREAD };

static enum wish read_wish(void)
{
  const char *text = getenv("GHCOMP_SUBSTRATE");
  if (text == NULL || strcmp(text, "") == 0)
    return WISH_DEFAULT;
  if (strcmp(text, "ghc") == 0)
    return WISH_GHC;
  if (strcmp(text, "pthread") == 0)
    return WISH_PTHREAD;
  ghcomp_message_say("GHCOMP_SUBSTRATE=%.100s: expected ghc or pthread; ghc is used", text);
  return WISH_DEFAULT;
}

static const struct substrate *choose(void)
{
  if (read_wish() == WISH_PTHREAD)
    return &ghcomp_substrate_pthread;
  switch (ghcomp_host_kind()) {
  case HOST_HASKELL_THREADED:
    return &haskell_host;
  case HOST_HASKELL_SINGLE:
    ghcomp_message_say("this Haskell program is not linked with -threaded: OpenMP regions in C "
                       "run on plain threads, Haskell bodies cannot run in them");
    return &ghcomp_substrate_pthread;
  case HOST_HASKELL_UNKNOWN:
    return &ghcomp_substrate_pthread;
  case HOST_C:
    break;
  }
  const struct substrate *ghc = load_ghc();
  return ghc != NULL ? ghc : &ghcomp_substrate_pthread;
}

const struct substrate *ghcomp_substrate_current(void)
{
  return load_acquire(&current); /* pairs with the release below */
}

const struct substrate *ghcomp_substrate_start(unsigned capabilities)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  if (substrate != NULL)
    return substrate;
  pthread_mutex_lock(&starting);
  substrate = ghcomp_substrate_current();
  if (substrate == NULL) {
    substrate = choose();
    if (!substrate->start(capabilities))
      substrate = &ghcomp_substrate_pthread;
    store_release(&current, substrate);
  }
  pthread_mutex_unlock(&starting);
  return substrate;
}

unsigned ghcomp_substrate_host_capabilities(void)
{
  return ghcomp_host_capabilities();
}

void ghcomp_substrate_after_fork(void)
{
  pthread_mutex_init(&starting, NULL);
  if (ghcomp_substrate_current() != NULL)
    store_release(&current, &ghcomp_substrate_pthread);
}
