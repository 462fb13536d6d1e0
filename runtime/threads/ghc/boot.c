/* GHC's runtime system in a C program.  It boots so quietly that the program does not notice: it
   opens no descriptor, sets no signal handler, starts no ticker, leaves the locale alone, and ignores
   GHCRTS and the arguments.  Its threads end before the program could notice them (rts_threads.c).

   The RTS is never shut down: at exit nothing is joined, and nothing can wait.

   This folder is built into a library of its own.  The library is linked with a copy of the
   threaded RTS under another SONAME, and with stand-ins for the few closures of Haskell's base
   library that the RTS refers to (tools/make-rts-stubs).  The stand-ins are never entered, because
   no Haskell code runs on this RTS.  The library is loaded with local symbols, and the copy has its
   own name.  So a Haskell plug-in that the program loads uses its own RTS.

   Called by: substrate.c, under the lock of the choice, once in a process.  Nothing here calls the
   loader then, because a thread that runs a constructor may hold the loader's lock and wait for the
   choice.  */
#include "threads/ghc/rts.h"
#include "threads/substrate.h"

#include "base/atomics.h"
#include "base/message.h"
#include "machine/disturbance.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *describe(void)
{
  static char text[96];
  unsigned count = ghcomp_capability_count();
  snprintf(text, sizeof text, "ghc: GHC %s, %u %s", GHCOMP_GHC_VERSION, count,
           count == 1 ? "Capability" : "Capabilities");
  return text;
}

/* ------------------------------------------------------------ an RTS that gives up */

/* limits.c has tried what the RTS needs, but another process may have taken it since.  Then the RTS
   writes a message and calls exit.  Hooks catch both during the boot, and the process goes on
   without that RTS.

   After the boot, if the RTS finds no memory, the process ends with the runtime's own message.  One
   hook does both, so it stays.  (GHC sets the hook after it has copied its arguments, two blocks of
   some bytes.  No hook can catch a failure there.)  */

enum { BOOTING, GIVEN_UP, UP };

static struct {
  jmp_buf back;
  pthread_t who;
  _Atomic int state;
  _Atomic bool has_reason;
  char why[200];
} booting;

/* One line: some of the RTS's messages end with a newline.  */
static void keep_reason(const char *format, va_list arguments)
{
  if (swap_relaxed(&booting.has_reason, true))
    return;
  vsnprintf(booting.why, sizeof booting.why, format, arguments);
  booting.why[strcspn(booting.why, "\n")] = '\0';
}

static void keep_this_reason(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  keep_reason(format, arguments);
  va_end(arguments);
}

/* Does not return.  */
static void give_up(int status)
{
  (void)status;
  if (pthread_equal(pthread_self(), booting.who) && load_relaxed(&booting.state) == BOOTING)
    longjmp(booting.back, 1);
  ghcomp_rts_thread_give_up();
  for (;;)
    pause(); /* no other thread calls the RTS then */
}

static void keep_reason_and_give_up(const char *format, va_list arguments)
{
  keep_reason(format, arguments);
  give_up(1);
}

static void lacks_memory(W_ size, const char *what)
{
  if (load_acquire(&booting.state) == UP) /* pairs with the store in init_with_hooks */
    ghcomp_message_fatal("out of memory: %zu bytes were asked for; the program ends here",
                         (size_t)size);
  keep_this_reason("out of memory: %zu bytes were asked for, %s", (size_t)size, what);
  give_up(1);
}

struct hooks {
  RtsMsgFunction *fatal, *error, *system;
  void (*leave)(int);
};

static struct hooks swap_hooks(struct hooks hooks)
{
  struct hooks old = {fatalInternalErrorFn, errorMsgFn, sysErrorMsgFn, exitFn};
  fatalInternalErrorFn = hooks.fatal;
  errorMsgFn = hooks.error;
  sysErrorMsgFn = hooks.system;
  exitFn = hooks.leave;
  return old;
}

/* --------------------------------------------------------------------------- boot */

/* The RTS does not start its I/O manager if one seems to run already.  */
static void hide_io_manager(int descriptor)
{
  setTimerManagerControlFd(descriptor);
  setIOManagerWakeupFd(descriptor);
}

static void init(unsigned count)
{
  static char name[] = "ghcomp";
  char options[96];
  char *arguments[] = {name, NULL}, **argv = arguments;
  int argc = 1;
  RtsConfig config = defaultRtsConfig;
  snprintf(options, sizeof options, "-N%u -A64k -V0 -I0 --install-signal-handlers=no%s", count,
           GHCOMP_HEAP_OPTIONS);
  config.rts_opts_enabled = RtsOptsIgnoreAll;
  config.rts_opts = options;
  config.mallocFailHook = lacks_memory;
  hide_io_manager(0);
  hs_init_ghc(&argc, &argv, config);
  hide_io_manager(-1);
}

/* False: the RTS gave up.  */
static bool init_or_return(unsigned count)
{
  if (setjmp(booting.back) != 0)
    return false;
  init(count);
  return true;
}

static bool init_with_hooks(unsigned count)
{
  const struct hooks ours = {keep_reason_and_give_up, keep_reason, keep_reason, give_up};
  booting.who = pthread_self();
  struct hooks theirs = swap_hooks(ours);
  bool ok = ghcomp_rts_threads_finish(init_or_return(count));
  swap_hooks(theirs);
  store_release(&booting.state, ok ? UP : GIVEN_UP); /* pairs with the load in lacks_memory */
  return ok;
}

/* The RTS's threads inherit the caller's signal mask: no signal of the program is delivered there. */
static bool boot(unsigned count)
{
  struct held held = ghcomp_machine_hold();
  bool ok = init_with_hooks(count);
  ghcomp_machine_let(held);
  if (!ok)
    ghcomp_message_say("GHC's runtime system did not start (%s): plain threads are used instead "
                       "of Capabilities", booting.why);
  return ok;
}

/* The loading library compares it with its own first.  */
extern const char ghcomp_rts_version[];
__attribute__((visibility("default"))) const char ghcomp_rts_version[] = GHCOMP_VERSION;

/* False: the library is bound to another RTS in the global scope, not to the copy, whose name
   begins with GHCOMP_RTS_NAME.  Called when the library has been loaded, outside the lock of the
   choice.  */
bool ghcomp_rts_alone(void);
__attribute__((visibility("default"))) bool ghcomp_rts_alone(void)
{
  Dl_info info;
  return dladdr((void *)hs_init_ghc, &info) != 0 &&
         strstr(info.dli_fname, "/" GHCOMP_RTS_NAME) != NULL;
}

static unsigned capabilities_for(unsigned wanted)
{
  if (wanted < 1)
    return 1;
  return wanted < GHCOMP_MOST_CAPABILITIES ? wanted : GHCOMP_MOST_CAPABILITIES;
}

static bool start(unsigned wanted)
{
  unsigned count = capabilities_for(wanted);
  if (!ghcomp_limits_allow(count) || !boot(count))
    return false;
  ghcomp_reservation_give_back();
  ghcomp_capability_open(count);
  return true;
}

__attribute__((visibility("default"))) const struct substrate ghcomp_rts_substrate = {
    .name = "ghc",
    .describe = describe,
    .start = start,
    .capabilities = ghcomp_capability_count,
    .spawn = ghcomp_spawn_thread,
    .serve_as = ghcomp_capability_serve_as,
};
