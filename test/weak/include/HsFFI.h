/* In place of GHC's header, as Rts.h.  */
#ifndef WEAK_HSFFI_H
#define WEAK_HSFFI_H

#include <stdint.h>

typedef uint8_t HsBool;
typedef void *HsStablePtr;

#endif
