/* Which substrate a process gets, and when.  README.md lists the rules.

   Invariant: `current` changes once from NULL, and once more in a forked child whose parent had
   begun to start a substrate.  The parent's RTS does not exist in the child, so the child takes
   plain threads.  A child of a parent that had not begun chooses like any process.

   There are two steps.  First each thread that comes before the choice is made looks what there is
   to choose.  It holds no lock, because it calls the loader.  The loader has a lock of its own, and
   runs constructors under it, and a constructor may come here, too.  Then one of the threads starts
   what it has found, and publishes it, under `starting`.  No thread calls the loader under
   `starting`, so no lock that a waiting thread holds is needed to go on.  Messages are written at
   most once, under `starting`.  */
#include "threads/substrate.h"

#include "base/atomics.h"
#include "base/message.h"
#include "machine/disturbance.h"
#include "machine/process.h"
#include "threads/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct substrate *) current;
_Atomic bool ghcomp_substrate_beside_rts;
static _Atomic bool begun;
static _Atomic(const char *) reason;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* held while a substrate is started */

/* What a thread found.  */
struct choice {
  const struct substrate *substrate;
  enum host_kind host;
  const char *reason;   /* static, or `why` */
  char why[900];        /* what is missing, in the loader's words */
  const char *bad_wish; /* the text of GHCOMP_SUBSTRATE if it is neither ghc nor pthread; or NULL */
  char message[1024];   /* a message to the user; empty: none */
};

static void take(struct choice *choice, const char *why, const struct substrate *substrate)
{
  choice->reason = why;
  choice->substrate = substrate;
}

/* --------------------------------------------------------------------- the choice */

enum wish { WISH_DEFAULT, WISH_GHC, WISH_PTHREAD };

static enum wish read_wish(struct choice *choice)
{
  const char *text = getenv("GHCOMP_SUBSTRATE");
  if (text == NULL || *text == '\0')
    return WISH_DEFAULT;
  if (strcmp(text, "ghc") == 0)
    return WISH_GHC;
  if (strcmp(text, "pthread") == 0)
    return WISH_PTHREAD;
  choice->bad_wish = text;
  return WISH_DEFAULT;
}

/* Sanitizers follow every thread and every block of thread-local storage.  They do not know those
   of an RTS that is loaded late.  So they end the program (GCC 13 and older, when they look for
   leaks), or report faults that the program does not have.  */
static bool has_sanitizer(void)
{
  static const char *const names[] = {"__asan_init", "__lsan_init", "__tsan_init", "__msan_init"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (dlsym(RTLD_DEFAULT, names[i]) != NULL)
      return true;
  return false;
}

/* Valgrind and emulators keep account of each page of addresses, and the RTS reserves a terabyte.  They need seconds for
   that, and gigabytes of memory.  */
static bool is_emulated(struct choice *choice)
{
  char by[GHCOMP_EMULATOR];
  if (!ghcomp_machine_is_emulated(by))
    return false;
  snprintf(choice->why, sizeof choice->why, "this program runs under %s, which keeps account of all addresses", by);
  return true;
}

static void choose_in_c_program(struct choice *choice, bool asked)
{
  bool too_old;
  if (!asked && has_sanitizer()) {
    take(choice, "a sanitizer watches this program's threads", &ghcomp_substrate_pthread);
    return;
  }
  if (!asked && is_emulated(choice)) {
    take(choice, choice->why, &ghcomp_substrate_pthread);
    return;
  }
  if (!asked && !ghcomp_load_has_rts()) {
    take(choice, "the library was built without GHC", &ghcomp_substrate_pthread);
    return;
  }
  const struct substrate *ghc = ghcomp_load_rts(choice->why, sizeof choice->why, &too_old);
  if (ghc == NULL) {
    if (asked || !too_old) /* no message for a system that is merely older */
      snprintf(choice->message, sizeof choice->message,
               "%s: plain threads are used instead of Capabilities", choice->why);
    take(choice, choice->why, &ghcomp_substrate_pthread);
    return;
  }
  take(choice, asked ? "GHCOMP_SUBSTRATE=ghc" : "the default in a program that is not Haskell's",
       ghc);
}

static void choose(struct choice *choice)
{
  enum wish wish = read_wish(choice);
  choice->host = ghcomp_host_kind();
  if (wish == WISH_PTHREAD) {
    take(choice, "GHCOMP_SUBSTRATE=pthread", &ghcomp_substrate_pthread);
    return;
  }
  switch (choice->host) {
  case HOST_HASKELL_THREADED:
    take(choice, "this is a Haskell program, linked with -threaded", &ghcomp_host_substrate);
    return;
  case HOST_HASKELL_SINGLE:
    snprintf(choice->message, sizeof choice->message,
             "this Haskell program is not linked with -threaded: OpenMP regions in C "
             "run on plain threads, and Haskell code cannot run in them");
    take(choice, "this is a Haskell program, not linked with -threaded", &ghcomp_substrate_pthread);
    return;
  case HOST_HASKELL_UNKNOWN:
    take(choice, "this is a Haskell program whose runtime system cannot be seen (stripped)",
         &ghcomp_substrate_pthread);
    return;
  case HOST_C:
    choose_in_c_program(choice, wish == WISH_GHC);
  }
}

/* -------------------------------------------------------------------------- start */

const struct substrate *ghcomp_substrate_current(void)
{
  return load_acquire(&current); /* pairs with the store_release in start_locked */
}

static void tell(const struct choice *choice)
{
  if (choice->bad_wish != NULL)
    ghcomp_message_say("GHCOMP_SUBSTRATE=%.100s: expected ghc or pthread; ghc is used",
                       choice->bad_wish);
  if (choice->message[0] != '\0')
    ghcomp_message_say("%s", choice->message);
}

/* The choice is on its thread's stack; the reason that `info` shows must stay.
   Requires: `starting` is held.  */
static const char *keep_reason(const struct choice *choice)
{
  static char kept[sizeof choice->why];
  if (choice->reason != choice->why)
    return choice->reason;
  memcpy(kept, choice->why, sizeof kept);
  return kept;
}

/* Does not call the loader.
   Requires: `starting` is held.  */
static const struct substrate *start_locked(struct choice *choice, unsigned capabilities)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  if (substrate != NULL) /* another thread was first */
    return substrate;
  tell(choice);
  if (!choice->substrate->start(capabilities))
    take(choice, "GHC's runtime system cannot be started in this process",
         &ghcomp_substrate_pthread);
  store_relaxed(&reason, keep_reason(choice)); /* published by the release of `current` */
  store_relaxed(&ghcomp_substrate_beside_rts, choice->host == HOST_HASKELL_THREADED);
  store_release(&current, choice->substrate); /* pairs with ghcomp_substrate_current */
  return choice->substrate;
}

static __attribute__((noinline)) const struct substrate *choose_and_start(unsigned capabilities)
{
  struct choice choice = {0};
  int saved = errno;
  store_relaxed(&begun, true); /* a forked child of this process reads it */
  struct held held = ghcomp_machine_hold();
  choose(&choice);
  pthread_mutex_lock(&starting);
  const struct substrate *substrate = start_locked(&choice, capabilities);
  pthread_mutex_unlock(&starting);
  ghcomp_machine_let(held);
  errno = saved;
  return substrate;
}

const struct substrate *ghcomp_substrate_start(unsigned capabilities)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  return substrate != NULL ? substrate : choose_and_start(capabilities);
}

const char *ghcomp_choice_reason(void)
{
  return ghcomp_substrate_current() != NULL ? load_relaxed(&reason) : "none is started yet";
}

unsigned ghcomp_substrate_host_capabilities(void)
{
  return ghcomp_host_capabilities();
}

unsigned ghcomp_substrate_host_busy(void)
{
  return ghcomp_host_busy(0);
}

bool ghcomp_substrate_host_waits(void)
{
  return ghcomp_host_waits();
}

unsigned ghcomp_substrate_host_busy_from_outside(void)
{
  return ghcomp_host_busy_from_outside();
}

bool ghcomp_substrate_host_is_haskell(void)
{
  return ghcomp_host_kind() != HOST_C;
}

void ghcomp_substrate_after_fork(void)
{
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  starting = fresh; /* a thread of the parent may have held it */
  if (!load_relaxed(&begun))
    return;
  store_relaxed(&reason, "this process was forked from one with threads");
  store_relaxed(&ghcomp_substrate_beside_rts, false);
  store_relaxed(&current, &ghcomp_substrate_pthread); /* the child has one thread */
}
