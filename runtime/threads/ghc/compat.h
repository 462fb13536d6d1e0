/* What differs between versions of GHC's RTS, 9.0 to 9.12.  */
#ifndef GHCOMP_THREADS_GHC_COMPAT_H
#define GHCOMP_THREADS_GHC_COMPAT_H

#include <ghcversion.h>

#include <Rts.h>

#include <DerivedConstants.h>
#include <stdint.h>

/* __GLASGOW_HASKELL__ has no patch level; the whole version comes from the
   build.  */
#ifndef GHCOMP_GHC_VERSION
#error "GHCOMP_GHC_VERSION is the version string that the build passes"
#endif

/* The RTS reserves a terabyte of addresses for a heap that stays empty here.
   Newer ones can be told to take less (-xr; find-rts looks whether this one can).  The others take
   two thirds of a limited address space, which would then be missing to the program: see limits.c.  */
#if GHCOMP_RTS_SIZES_HEAP
#define GHCOMP_HEAP_OPTIONS " -xr256m"
#define GHCOMP_HEAP_IS_SMALL 1
#else
#define GHCOMP_HEAP_OPTIONS ""
#define GHCOMP_HEAP_IS_SMALL 0
#endif

/* Exported by every version, declared by none.  */
extern RtsMsgFunction *sysErrorMsgFn;

/* The number of a Capability that the caller holds.  The struct is private, but
   GHC's own compiler relies on this offset, so it belongs to the version.  */
static inline int ghcomp_compat_number(Capability *capability)
{
  return (int)*(const uint32_t *)((const char *)capability + OFFSET_Capability_no);
}

#endif
