/* Where this library lies, and the library with GHC's RTS that lies beside it. */
#ifndef GHCOMP_SUBSTRATE_LOAD_H
#define GHCOMP_SUBSTRATE_LOAD_H

#include "substrate/substrate.h"

/* The absolute path of this library, with symbolic links resolved; NULL when it
   cannot be told.  Static storage.  Called under the lock of the choice, or by
   one thread.  */
const char *ghcomp_load_own_path(void);

/* Whether there is an RTS to load: the build had GHC, or the environment names one.  */
bool ghcomp_load_has_rts(void);

/* Loads the GHC substrate; NULL, with a message that says why, when there is
   none.  Does not start it.  */
const struct substrate *ghcomp_load_rts(void);

/* The Capability that the calling thread belongs to in an RTS that
   ghcomp_load_rts loaded, else -1.  */
int ghcomp_load_capability(void);

#endif
