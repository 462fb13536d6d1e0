/* Which substrate a process gets, and when.

   In force until the first region that needs a second thread: none.  Then, once:
   what GHCOMP_SUBSTRATE asks for; in a Haskell host the host's own RTS; else the
   GHC substrate, a library beside ours that is loaded with local symbols (its
   stand-ins for Haskell's base library must not be seen by anybody else); else,
   with one message that says why, plain threads.  A program under a sanitizer
   gets plain threads too, without a message, unless it asks for ghc.

   Invariant: `current` changes once from NULL, and once more in a forked child
   whose parent had begun to start one: the parent's RTS is not the child's, so
   the child takes plain threads.  A child of a parent that had not begun chooses
   like any process.  Everything is said at most once, because the choice is made
   once, under the lock.  */
#include "substrate/substrate.h"

#include "base/atomics.h"
#include "base/message.h"
#include "substrate/choice.h"
#include "substrate/host.h"
#include "substrate/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct substrate *) current;
static _Atomic bool begun;
static _Atomic(const char *) reason;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* guards the choice */

static const struct substrate *because(const char *why, const struct substrate *chosen)
{
  store_relaxed(&reason, why); /* published by the release of `current` */
  return chosen;
}

/* --------------------------------------------------------------------- the choice */

enum wish { WISH_DEFAULT, WISH_GHC, WISH_PTHREAD };

static enum wish read_wish(void)
{
  const char *text = getenv("GHCOMP_SUBSTRATE");
  if (text == NULL || *text == '\0')
    return WISH_DEFAULT;
  if (strcmp(text, "ghc") == 0)
    return WISH_GHC;
  if (strcmp(text, "pthread") == 0)
    return WISH_PTHREAD;
  ghcomp_message_say("GHCOMP_SUBSTRATE=%.100s: expected ghc or pthread; ghc is used", text);
  return WISH_DEFAULT;
}

/* Sanitizers follow every thread and every block of thread-local storage.  What
   they do not know of an RTS that was loaded late ends the program (GCC 13 and
   older, when leaks are looked for) or is reported as its fault.  */
static bool has_sanitizer(void)
{
  static const char *const names[] = {"__asan_init", "__lsan_init", "__tsan_init", "__msan_init"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (dlsym(RTLD_DEFAULT, names[i]) != NULL)
      return true;
  return false;
}

static const struct substrate *choose_in_c_program(unsigned capabilities, bool asked)
{
  if (!asked && has_sanitizer())
    return because("a sanitizer watches this program's threads", &ghcomp_substrate_pthread);
  if (!asked && !ghcomp_load_has_rts())
    return because("the library was built without GHC", &ghcomp_substrate_pthread);
  const struct substrate *ghc = ghcomp_load_rts();
  if (ghc == NULL)
    return because("GHC's runtime system cannot be loaded", &ghcomp_substrate_pthread);
  if (!ghc->start(capabilities))
    return because("GHC's runtime system cannot be started in this process",
                   &ghcomp_substrate_pthread);
  return because(asked ? "GHCOMP_SUBSTRATE=ghc" : "the default in a program that is not Haskell's",
                 ghc);
}

static const struct substrate *choose(unsigned capabilities)
{
  enum wish wish = read_wish();
  if (wish == WISH_PTHREAD)
    return because("GHCOMP_SUBSTRATE=pthread", &ghcomp_substrate_pthread);
  switch (ghcomp_host_kind()) {
  case HOST_HASKELL_THREADED:
    return because("this is a Haskell program, linked with -threaded", &ghcomp_host_substrate);
  case HOST_HASKELL_SINGLE:
    ghcomp_message_say("this Haskell program is not linked with -threaded: OpenMP regions in C "
                       "run on plain threads, and Haskell code cannot run in them");
    return because("this is a Haskell program, not linked with -threaded",
                   &ghcomp_substrate_pthread);
  case HOST_HASKELL_UNKNOWN:
    return because("this is a Haskell program whose runtime system cannot be seen (stripped)",
                   &ghcomp_substrate_pthread);
  case HOST_C:
    break;
  }
  return choose_in_c_program(capabilities, wish == WISH_GHC);
}

/* -------------------------------------------------------------------------- start */

const struct substrate *ghcomp_substrate_current(void)
{
  return load_acquire(&current); /* pairs with the store in start_locked */
}

/* Two flags, each raised before the other is looked at, all sequentially consistent: so
   whichever of the two comes last, the first thread's end or the substrate's start, tells
   the substrate; and `told` lets only one.  */
static _Atomic bool first_has_ended, told;

static void tell_of_first_thread(void)
{
  const struct substrate *substrate = load_seq_cst(&current);
  if (substrate != NULL && substrate->first_thread_ends != NULL && load_seq_cst(&first_has_ended) &&
      !swap_relaxed(&told, true))
    substrate->first_thread_ends();
}

void ghcomp_substrate_first_thread_ends(void)
{
  store_seq_cst(&first_has_ended, true);
  tell_of_first_thread();
}

static const struct substrate *start_locked(unsigned capabilities)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  if (substrate != NULL)
    return substrate;
  int saved = errno;
  store_relaxed(&begun, true); /* read by a forked child of this process */
  substrate = choose(capabilities);
  store_seq_cst(&current, substrate);
  tell_of_first_thread();
  errno = saved;
  return substrate;
}

const struct substrate *ghcomp_substrate_start(unsigned capabilities)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  if (substrate != NULL)
    return substrate;
  pthread_mutex_lock(&starting);
  substrate = start_locked(capabilities);
  pthread_mutex_unlock(&starting);
  return substrate;
}

const char *ghcomp_choice_reason(void)
{
  return ghcomp_substrate_current() != NULL ? load_relaxed(&reason) : "none is started yet";
}

unsigned ghcomp_substrate_host_capabilities(void)
{
  return ghcomp_host_capabilities();
}

void ghcomp_substrate_after_fork(void)
{
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  starting = fresh; /* another thread of the parent may have held it */
  store_relaxed(&first_has_ended, false);
  if (load_relaxed(&begun))
    store_release(&current, because("this process was forked from one with threads",
                                    &ghcomp_substrate_pthread));
}
