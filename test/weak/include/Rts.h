/* Replaces GHC's header: what cbits/ uses of it, for models that run no Haskell.  */
#ifndef WEAK_RTS_H
#define WEAK_RTS_H

#include "HsFFI.h"

typedef uint64_t W_, StgWord, *StgPtr;

typedef struct {
  struct {
    StgPtr rHpLim;
    void *rCurrentTSO;
  } r;
} CapabilityPublic;
typedef CapabilityPublic Capability;
/* Threads of the models are no Haskell threads: nothing reads these.  */
typedef struct {
  int what_next, why_blocked;
  Capability *cap;
} StgTSO;
enum { ThreadKilled, ThreadComplete };
enum { NotBlocked, ThreadMigrating, BlockedOnCCall, BlockedOnCCall_Interruptible };
typedef enum { NoStatus, Success, Killed, Interrupted, HeapExhausted } SchedulerStatus;

extern Capability MainCapability;
extern uint32_t n_capabilities, enabled_capabilities;

/* A model defines those that it calls.  */
Capability *rts_unsafeGetMyCapability(void);
Capability *rts_lock(void);
void rts_unlock(Capability *capability);
void rts_evalStableIO(Capability **capability, HsStablePtr job, HsStablePtr *result);
SchedulerStatus rts_getSchedStatus(Capability *capability);
void rts_checkSchedStatus(char *site, Capability *capability);
uint64_t rts_getThreadId(StgPtr thread);

#endif
