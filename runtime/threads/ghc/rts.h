/* What differs between versions of GHC's RTS, 9.0 to 9.12.  */
#ifndef GHCOMP_THREADS_GHC_RTS_H
#define GHCOMP_THREADS_GHC_RTS_H

#include "threads/substrate.h"

#include <DerivedConstants.h>
#include <Rts.h>
#include <ghcversion.h>
#include <stdbool.h>
#include <stdint.h>

/* __GLASGOW_HASKELL__ has no patch level, so the build passes the whole version.  */
#ifndef GHCOMP_GHC_VERSION
#error "GHCOMP_GHC_VERSION is the version string that the build passes"
#endif

/* The RTS reserves a terabyte of addresses for a heap that stays nearly empty here.  A newer RTS has an option for less
   (-xr; find-rts looks for it).  An older one gives the rest back when it has booted (reservation.c).  Under a limit it would
   take two thirds of that for its boot, so it is not started there: see limits.c.  */
#define GHCOMP_HEAP_KEPT ((size_t)256 << 20)
#if GHCOMP_RTS_SIZES_HEAP
#define GHCOMP_HEAP_OPTIONS " -xr256m"
#define GHCOMP_HEAP_IS_SMALL 1
#else
#define GHCOMP_HEAP_OPTIONS " -M128m"
#define GHCOMP_HEAP_IS_SMALL 0
#endif

/* Every version exports it, and none declares it.  */
extern RtsMsgFunction *sysErrorMsgFn;

/* The number of a Capability that the caller holds.  The struct is private, but compiled Haskell
   code relies on this offset, so it is fixed for each version.  */
static inline int ghcomp_compat_number(Capability *capability)
{
  return (int)*(const uint32_t *)((const char *)capability + OFFSET_Capability_no);
}

/* -------------------------------------------------------------- Capabilities */

/* Which Capability a thread belongs to, in a C program.  */

/* Called once, when the RTS has booted.  */
void ghcomp_capability_open(unsigned count);

/* The number of Capabilities; 0 before ghcomp_capability_open.  */
unsigned ghcomp_capability_count(void);

/* See `serve_as` in substrate.h.  */
void ghcomp_capability_serve_as(unsigned number);

/* -------------------------------------------------------------------- limits */

/* Whether this process may have what GHC's RTS needs.  */

/* True: the RTS can boot with so many Capabilities; ghcomp_rts_threads_finish must follow.
   False: one message says why not.  */
bool ghcomp_limits_allow(unsigned capabilities);

/* Called once, when the RTS has booted and no thread has entered it yet.  */
void ghcomp_reservation_give_back(void);

/* ------------------------------------------------------------------------- stand-ins */

/* A function that the RTS calls in place of one of the C library.  */
#define GHCOMP_STAND_IN __attribute__((visibility("default")))

/* The threads that the RTS starts are done by one, which ends before the first team is made.  See rts_threads.c.  */

/* Bytes of its stack.  */
#define GHCOMP_RTS_STACK ((size_t)256 << 10)

/* Called once, before the RTS boots.  0, or an errno value: the system refuses the thread.  */
int ghcomp_rts_threads_prepare(void);

/* Called once, when the RTS has booted, or has not.  The thread has ended then.  False: no boot, or a thread of the RTS gave up.  */
bool ghcomp_rts_threads_finish(bool booted);

/* Returns only if the calling thread is not one of the RTS's.  */
void ghcomp_rts_thread_give_up(void);

#endif
