/* May this process have what GHC's RTS will ask for?  */
#ifndef GHCOMP_THREADS_GHC_LIMITS_H
#define GHCOMP_THREADS_GHC_LIMITS_H

#include <stdbool.h>

/* Each Capability costs a sleeping thread and about 0.1 ms of the boot, and only
   Haskell code needs one of its own: a larger machine gets no more than this.  */
#define GHCOMP_MOST_CAPABILITIES 32

/* Whether the RTS can be booted with so many Capabilities, and the program still
   have as many threads.  Says why not in one message.  */
bool ghcomp_limits_allow(unsigned capabilities);

#endif
