/* The library with GHC's RTS that lies beside this one.  */
#ifndef GHCOMP_THREADS_LOAD_H
#define GHCOMP_THREADS_LOAD_H

#include "threads/substrate.h"

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
