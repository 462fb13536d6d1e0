/* Is this process a Haskell program?  */
#ifndef GHCOMP_THREADS_HOST_H
#define GHCOMP_THREADS_HOST_H

#include "threads/substrate.h"

enum host_kind {
  HOST_C,                /* it has no Haskell RTS that anybody else could use */
  HOST_HASKELL_THREADED, /* it has one, with -threaded; whether it runs yet or not */
  HOST_HASKELL_SINGLE,   /* it has one, without -threaded */
  HOST_HASKELL_UNKNOWN,  /* it has one that cannot be reached: a stripped static executable */
};

/* Where a Capability says which Haskell thread it runs: the offset of r.rCurrentTSO in the
   CapabilityPublic of GHC's RtsAPI.h.  */
extern const size_t ghcomp_host_current_thread;

/* Looked up once; cheap afterwards.  */
enum host_kind ghcomp_host_kind(void);

/* Capabilities that the host's RTS uses now; 0 unless threaded and running.  */
unsigned ghcomp_host_capabilities(void);

/* Their addresses, as many as there are at least; NULL where they cannot be seen.  */
const char *const *ghcomp_host_list(void);

/* Of those in use, the ones that run a Haskell thread at this moment; `unknown` where that cannot be
   seen.  For threads that the RTS knows.  Cost: a cache line of each.  */
unsigned ghcomp_host_busy(unsigned unknown);

/* The same, 0 where it cannot be seen, for threads that the RTS does not know: it frees its Capabilities
   at the end of the program unless a thread that it knows is in a foreign call.  Cost: two system calls.  */
unsigned ghcomp_host_busy_from_outside(void);

/* The calling thread, which may have run Haskell code, ends: the host's RTS forgets it.  */
void ghcomp_host_thread_ends(void);

/* The substrate of HOST_HASKELL_THREADED (host_threads.c).  */
extern const struct substrate ghcomp_host_substrate;

/* --------------------------------------------------- the library with an RTS */

/* The library with GHC's RTS that lies beside this one.  */

/* Whether there is an RTS to load: the build had GHC, or the environment names one.  */
bool ghcomp_load_has_rts(void);

/* The absolute path of this library, with symbolic links resolved; in a Haskell program that has the
   runtime linked in, of that program.  `path`: PATH_MAX bytes.  False: it cannot be found out.  */
bool ghcomp_load_own_path(char *path);

/* Loads the GHC substrate; NULL, with the reason in `why`, when there is none, or
   when it must not run in this process; `too_old`: because of this system's C library.
   Does not start it.  Any number of threads may do so at once.  Requires: the caller
   holds no lock, for a constructor that the loader runs may come here, too.  */
const struct substrate *ghcomp_load_rts(char *why, size_t size, bool *too_old);

/* The Capability that the calling thread belongs to in an RTS that
   ghcomp_load_rts loaded, else -1.  */
int ghcomp_load_capability(void);

#endif
