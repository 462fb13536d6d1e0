/* The substrate: what supplies threads, and what these threads belong to.

   There is one `struct substrate` for each supplier (ghc, pthread, and an invented one in the unit
   tests).  The calls are rare: start-up, thread creation, fork.  Sleeping, waking and what the
   machine offers (machine/) are the same for all suppliers, and not in the table.

   Contract for all functions: the caller holds no lock of the runtime except the pool's, and no
   function calls a storey above.  They are listed in the order of a process's life.  */
#ifndef GHCOMP_THREADS_SUBSTRATE_H
#define GHCOMP_THREADS_SUBSTRATE_H

#include <stdbool.h>
#include <stddef.h>

/* Only Haskell code needs a Capability of its own, and there is none in a C program: threads share them.  Each costs 6 us of the
   boot and 10 KB (a first region takes 0.6 ms with one, 0.85 with 32, 1.4 with 128: GHC 9.0.2, a Xeon).  So a larger machine
   gets no more than this.  */
#define GHCOMP_MOST_CAPABILITIES 32

struct substrate {
  const char *name; /* "ghc" or "pthread" */

  /* A sentence for `ghcomp info`: versions, Capabilities.  Static storage. */
  const char *(*describe)(void);

  /* Called once in a process (and once in a forked child, for the child's substrate), by the first
     region that needs a second thread, before any spawn.  It leaves the process no thread of its own.  False: this substrate
     cannot be used, and the caller takes the pthread substrate.  `capabilities`: how many the process wants.  */
  bool (*start)(unsigned capabilities);

  /* Capabilities that exist now; 0: the substrate has none.  */
  unsigned (*capabilities)(void);

  /* Starts an OS thread that executes body(argument). stack_size 0 means the system's default.
     Returns 0, or an errno value: then there is no thread, and nothing is left behind.  The thread
     is detached and inherits the caller's signal mask, as libgomp's threads do.  */
  int (*spawn)(void *(*body)(void *), void *argument, size_t stack_size);

  /* Called by a worker that begins to serve as thread `number` of an outermost team.  The GHC
     substrate in a C host binds it to Capability number mod N.  Cheap if nothing changes.  */
  void (*serve_as)(unsigned number);
};

/* The substrate of ordinary threads, which serves where there is no GHC or no RTS may run.  */
extern const struct substrate ghcomp_substrate_pthread;

/* Chooses, starts and returns the substrate; later calls return the same.  Thread-safe.  The choice
   depends on GHCOMP_SUBSTRATE=ghc|pthread (default ghc) and on the host.  */
const struct substrate *ghcomp_substrate_start(unsigned capabilities);

/* The substrate that was started, or NULL.  */
const struct substrate *ghcomp_substrate_current(void);

/* Capabilities of a Haskell host's RTS that runs in this process already; 0: there is none.  Does
   not start anything.  */
unsigned ghcomp_substrate_host_capabilities(void);

/* How many of these compute at this moment, as far as that can be seen.  The second function is for
   workers, which the RTS does not know; see host.h.  */
unsigned ghcomp_substrate_host_busy(void);
unsigned ghcomp_substrate_host_busy_from_outside(void);

/* True: a substrate was started in a Haskell program whose threaded RTS can be seen.  */
extern _Atomic bool ghcomp_substrate_beside_rts;

/* True: an OS thread of that RTS may be waiting for a processor; see host.h.  */
bool ghcomp_substrate_host_waits(void);

/* True: this process is a Haskell program.  Its RTS may not run yet.  */
bool ghcomp_substrate_host_is_haskell(void);

/* In a forked child: the parent's RTS and threads are gone; from now on this
   process uses the pthread substrate.  Async-signal-safe.  */
void ghcomp_substrate_after_fork(void);

/* ---------------------------------------------------------------- the choice */

/* Why this substrate is in force, for `ghcomp info`.  */

/* Part of a sentence, static storage.  */
const char *ghcomp_choice_reason(void);

/* ---------------------------------------------------------------- OS threads */

/* A detached OS thread, the same for all substrates.  */

/* See `spawn` in substrate.h.  */
int ghcomp_spawn_thread(void *(*body)(void *), void *argument, size_t stack_size);

/* Bytes of the stack of such a thread that its body can use, about: without what the C library, the loader and the guard
   take.  The thread itself could ask the C library, which then allocates memory, asks for the thread's affinity mask, and
   tells the same.  */
size_t ghcomp_spawn_usable(size_t stack_size);

/* Bytes of addresses that its stack takes.  */
size_t ghcomp_spawn_mapped(size_t stack_size);

#endif
