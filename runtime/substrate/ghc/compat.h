/* What differs between versions of GHC's RTS.  */
#ifndef GHCOMP_SUBSTRATE_GHC_COMPAT_H
#define GHCOMP_SUBSTRATE_GHC_COMPAT_H

#include <Rts.h>

/* 9.0 has __GLASGOW_HASKELL__ in ghcversion.h only as 900; the whole version
   comes from the build.  */
#ifndef GHCOMP_GHC_VERSION
#error "GHCOMP_GHC_VERSION is the version string that the build passes"
#endif

/* Exported by the RTS of every version from 9.0 to 9.12, declared in some.  */
extern void setTimerManagerControlFd(int descriptor);
extern void setIOManagerWakeupFd(int descriptor);

#endif
