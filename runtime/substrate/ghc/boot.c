/* GHC's runtime system in a C program, booted so quietly that the program
   cannot tell: no descriptor, no signal handler, no ticker, the locale as it
   was, GHCRTS and the arguments ignored.

   Thread i of an outermost team belongs to Capability i mod N.  The RTS is never
   shut down: at exit nothing is joined and nothing can wait.

   This file is a library of its own, linked with the threaded RTS and stand-ins
   for the few closures of Haskell's base library that the RTS refers to
   (stubs).  They are never entered, because no Haskell code runs on this RTS;
   the library is loaded with local symbols, so that no other RTS meets them.  */
#include "substrate/ghc/compat.h"
#include "substrate/spawn.h"
#include "substrate/substrate.h"

#include "base/message.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Boot time grows with the Capabilities (one idle thread of the RTS each); more
   than this gain nothing, because only Haskell code needs one of its own.  */
#define MOST_CAPABILITIES 64

static unsigned booted;

static unsigned capabilities(void)
{
  return booted;
}

static const char *describe(void)
{
  static char text[96];
  snprintf(text, sizeof text, "ghc: GHC %s, %u Capabilities", GHCOMP_GHC_VERSION, booted);
  return text;
}

/* --------------------------------------------------------- what the RTS will need */

/* The RTS ends the process when it cannot have its threads or its memory, so
   they are tried first.  */

static void *wait_for_release(void *gate)
{
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

static bool threads_can_be_had(unsigned count)
{
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[MOST_CAPABILITIES];
  unsigned made = 0;
  pthread_mutex_lock(&gate);
  while (made < count && pthread_create(&threads[made], NULL, wait_for_release, &gate) == 0)
    made++;
  pthread_mutex_unlock(&gate);
  for (unsigned i = 0; i < made; i++)
    pthread_join(threads[i], NULL);
  return made == count;
}

#define LEAST_ADDRESS_SPACE ((size_t)128 << 20)

static bool memory_can_be_had(void)
{
  void *space = mmap(NULL, LEAST_ADDRESS_SPACE, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    return false;
  munmap(space, LEAST_ADDRESS_SPACE);
  return true;
}

static bool can_boot(unsigned count)
{
  if (threads_can_be_had(count - 1) && memory_can_be_had())
    return true;
  ghcomp_message_say("GHC's runtime system is not started, because this process may not have %u "
                     "more threads or %zu MiB more memory: plain threads are used instead of "
                     "Capabilities", count - 1, LEAST_ADDRESS_SPACE >> 20);
  return false;
}

/* --------------------------------------------------------------------------- boot */

static void hide_io_manager(int descriptor)
{
  setTimerManagerControlFd(descriptor);
  setIOManagerWakeupFd(descriptor);
}

static void boot(unsigned count)
{
  static char name[] = "ghcomp";
  char options[64];
  char *arguments[] = {name, NULL}, **argv = arguments;
  int argc = 1;
  RtsConfig config = defaultRtsConfig;
  snprintf(options, sizeof options, "-N%u --install-signal-handlers=no -V0 -I0", count);
  config.rts_opts_enabled = RtsOptsIgnoreAll;
  config.rts_opts = options;
  char *locale = setlocale(LC_CTYPE, NULL);
  locale = locale != NULL ? strdup(locale) : NULL;
  hide_io_manager(0); /* the RTS sees one that runs, and starts none */
  hs_init_ghc(&argc, &argv, config);
  hide_io_manager(-1);
  if (locale != NULL)
    setlocale(LC_CTYPE, locale);
  free(locale);
}

static bool start(unsigned wanted)
{
  unsigned count = wanted < 1 ? 1 : wanted < MOST_CAPABILITIES ? wanted : MOST_CAPABILITIES;
  if (!can_boot(count))
    return false;
  boot(count);
  booted = count;
  return true;
}

/* ------------------------------------------------------------------------ workers */

/* The thread's Capability from now on, and a registration with the RTS under it.
   Nothing competes for Capabilities here, so the lock is had at once.

   Note [Why nobody registers with Capability 0]
   The RTS starts an idle thread for a Capability that is released without one,
   and ends the process if it cannot.  Boot gives one to each but Capability 0,
   whose place the booting thread had; so threads of Capability 0 only note the
   preference, and register when they first run Haskell.  */
static void belong(unsigned number)
{
  rts_setInCallCapability((int)(number % booted), 0);
  if (number % booted != 0)
    rts_unlock(rts_lock());
}

struct beginning {
  void *(*body)(void *);
  void *argument;
};

static void *run(void *argument)
{
  struct beginning beginning = *(struct beginning *)argument;
  free(argument);
  void *result = beginning.body(beginning.argument);
  hs_thread_done();
  return result;
}

static int spawn(void *(*body)(void *), void *argument, size_t stack_size)
{
  struct beginning *beginning = malloc(sizeof *beginning);
  if (beginning == NULL)
    return ENOMEM;
  *beginning = (struct beginning){body, argument};
  int error = ghcomp_spawn_thread(run, beginning, stack_size);
  if (error != 0)
    free(beginning);
  return error;
}

__attribute__((visibility("default"))) const struct substrate ghcomp_rts_substrate = {
    .name = "ghc",
    .describe = describe,
    .start = start,
    .capabilities = capabilities,
    .spawn = spawn,
    .belong = belong,
};
