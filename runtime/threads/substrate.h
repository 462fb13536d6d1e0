/* The only door to the machine: who supplies threads, and what they belong to.

   There is one `struct substrate` per supplier (ghc, pthread, and a fake one in
   the unit tests).  The calls are rare: start-up, thread creation, fork.
   Sleeping, waking and what the machine offers (machine.h) do not
   go through the table, because every supplier shares them.

   Contracts for all of them: no function here is called with a runtime lock
   held other than the pool's; none calls back into core.  Listed in the order
   of a process's life.  */
#ifndef GHCOMP_THREADS_SUBSTRATE_H
#define GHCOMP_THREADS_SUBSTRATE_H

#include <stdbool.h>
#include <stddef.h>

struct substrate {
  const char *name; /* "ghc" or "pthread" */

  /* A sentence for `ghcomp info`: versions, Capabilities.  Static storage. */
  const char *(*describe)(void);

  /* Called once per process (and once in a forked child, on its own
     substrate), by the first region that needs a second thread, before any
     spawn.  Returns false when it cannot serve; the caller then takes the
     pthread substrate.  `capabilities` is how many the process wants.  */
  bool (*start)(unsigned capabilities);

  /* Capabilities that exist now; 0 when the substrate has none.  */
  unsigned (*capabilities)(void);

  /* Starts an OS thread that runs body(argument).  stack_size 0 means the
     system's default.  Returns 0, or an errno value: then no thread was
     made and nothing is left behind.  The thread inherits the caller's
     signal mask, as libgomp's do, and is detached.  It begins on another
     processor than `avoid`, unless that is -1 or the only one: the system often
     lets a new thread wait for its creator's.  */
  int (*spawn)(void *(*body)(void *), void *argument, size_t stack_size, int avoid);

  /* Called on a worker when it begins to serve as thread `number` of an
     outermost team: the GHC substrate in a C host binds it to Capability
     number mod N.  Cheap when nothing changes.  */
  void (*serve_as)(unsigned number);

  /* The process's first thread ends by pthread_exit, while others go on.  The process then
     ends with the last of them, which a substrate with threads of its own sees to; NULL for
     one without.  Called once at most, after start.  */
  void (*first_thread_ends)(void);
};

/* The substrate in force.  Before the first region that needs a second thread
   this only tells which one would be taken.  */
extern const struct substrate ghcomp_substrate_pthread;

/* Chooses, starts and returns the substrate (idempotent; thread-safe).
   Source of the choice: GHCOMP_SUBSTRATE=ghc|pthread (default ghc), the host.  */
const struct substrate *ghcomp_substrate_start(unsigned capabilities);

/* The substrate that was started, or NULL.  */
const struct substrate *ghcomp_substrate_current(void);

/* Capabilities of a Haskell host's RTS that already runs in this process, 0 if
   there is none.  Does not start anything.  */
unsigned ghcomp_substrate_host_capabilities(void);

/* Of those, the ones that compute at this moment, as far as that can be seen.  From_outside: for
   workers, whom the RTS does not know; see host.h.  */
unsigned ghcomp_substrate_host_busy(void);
unsigned ghcomp_substrate_host_busy_from_outside(void);

/* The process's first thread is about to end, and the process does not.  Called by that
   thread.  */
void ghcomp_substrate_first_thread_ends(void);

/* This process is a Haskell program, whether its RTS runs yet or not.  */
bool ghcomp_substrate_host_is_haskell(void);

/* In a forked child: the parent's RTS and threads are gone; from now on this
   process uses the pthread substrate.  Async-signal-safe.  */
void ghcomp_substrate_after_fork(void);

/* ---------------------------------------------------------------- the choice */

/* Why the substrate in force is in force: for `ghcomp info`.  */

/* Part of a sentence, static storage.  */
const char *ghcomp_choice_reason(void);

/* ---------------------------------------------------------------- OS threads */

/* A detached OS thread, the same for all substrates.  */

/* See `spawn` in substrate.h.  */
int ghcomp_spawn_thread(void *(*body)(void *), void *argument, size_t stack_size, int avoid);

#endif
