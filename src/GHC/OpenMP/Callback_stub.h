#include <HsFFI.h>
#if defined(__cplusplus)
extern "C" {
#endif
extern HsInt32 zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapCompare(StgStablePtr the_stableptr, HsPtr a1, HsPtr a2);
extern HsDouble zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapNumberAt(StgStablePtr the_stableptr, HsInt64 a1);
extern HsDouble zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapDouble(StgStablePtr the_stableptr, HsDouble a1);
extern HsDouble zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapNumber(StgStablePtr the_stableptr, HsDouble a1);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapElementOf(StgStablePtr the_stableptr, HsInt64 a1, HsPtr a2);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapTask(StgStablePtr the_stableptr, HsPtr a1);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapIntChunk(StgStablePtr the_stableptr, HsInt a1, HsInt a2);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapChunk(StgStablePtr the_stableptr, HsInt64 a1, HsInt64 a2);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapInt(StgStablePtr the_stableptr, HsInt a1);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapElement32(StgStablePtr the_stableptr, HsInt32 a1);
extern void zdmainzdGHCziOpenMPziCallbackzdGHCzziOpenMPzziCallbackzuwrapElement(StgStablePtr the_stableptr, HsInt64 a1);
#if defined(__cplusplus)
}
#endif

