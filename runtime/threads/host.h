/* Is this process a Haskell program?  */
#ifndef GHCOMP_THREADS_HOST_H
#define GHCOMP_THREADS_HOST_H

#include "threads/substrate.h"

enum host_kind {
  HOST_C,                /* it has no Haskell RTS that this runtime could use */
  HOST_HASKELL_THREADED, /* it has one, linked with -threaded, which may not run yet */
  HOST_HASKELL_SINGLE,   /* it has one, linked without -threaded */
  HOST_HASKELL_UNKNOWN,  /* it has one that cannot be found: a stripped static executable */
};

/* The offset of the Haskell thread that a Capability runs: r.rCurrentTSO in the CapabilityPublic of
   GHC's RtsAPI.h.  */
extern const size_t ghcomp_host_current_thread;

/* The offset of a Capability's number, from which the next fields are counted; 0: their places are not known.  They are
   private to the RTS; these are the places in GHC 9.0 and 9.10.  */
extern const size_t ghcomp_host_number;
enum { AFTER_NUMBER_TASK = 8, AFTER_NUMBER_RUN_QUEUE = 48 };

/* Looks once; later calls are cheap.  */
enum host_kind ghcomp_host_kind(void);

/* Capabilities that the host's RTS uses now; 0 unless threaded and running.  */
unsigned ghcomp_host_capabilities(void);

/* The addresses of the Capabilities, at least as many as are in use; NULL: they cannot be seen.  */
const char *const *ghcomp_host_capability_list(void);

/* How many of those in use run a Haskell thread at this moment; `unknown` if that cannot be seen.
   For threads that the RTS knows.
   Cost: a cache line of each.  */
unsigned ghcomp_host_busy(unsigned unknown);

/* True: an OS thread of the RTS may be waiting for a processor.  A Capability has no OS thread, because the one that the RTS
   has woken for it does not run yet, and that one is needed: for Haskell threads in the run queue; or for a collection, so
   that the OS thread of another Capability runs no Haskell thread.  (While a collection lasts, all Capabilities have OS
   threads.)  False if that cannot be seen.  For threads that the RTS knows.
   Cost: two cache lines of each Capability.  */
bool ghcomp_host_waits(void);

/* As ghcomp_host_busy, for threads that the RTS does not know; 0 if it cannot be seen.  At the program's end
   the RTS frees its Capabilities, unless a thread that it knows is in a foreign call.
   Cost: two system calls.  */
unsigned ghcomp_host_busy_from_outside(void);

/* The calling thread ends, and may have run Haskell code: the host's RTS frees what it keeps of
   it.  */
void ghcomp_host_thread_ends(void);

/* The substrate of HOST_HASKELL_THREADED (host_threads.c).  */
extern const struct substrate ghcomp_host_substrate;

/* --------------------------------------------------- the library with an RTS */

/* The library with GHC's RTS, which is in the same folder as this library.  */

/* True: there is an RTS to load, because the build had GHC or the environment names one.  */
bool ghcomp_load_has_rts(void);

/* The absolute path of this library, with symbolic links resolved.  In a Haskell program that has
   the runtime linked in it is the path of the program.  The caller frees it.  NULL: the path is not
   known.  */
char *ghcomp_load_own_path(void);

/* Loads the GHC substrate, and does not start it.  NULL: there is none, or it must not run in this
   process, for the reason in `why`.  `too_old`: the reason is this system's C library.  Several
   threads may call it at once.
   Requires: the caller holds no lock, because a constructor that the loader runs may call it,
   too.  */
const struct substrate *ghcomp_load_rts(char *why, size_t size, bool *too_old);

/* The calling thread's Capability in an RTS that ghcomp_load_rts has loaded; otherwise -1.  */
int ghcomp_load_capability(void);

#endif
