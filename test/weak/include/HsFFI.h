/* Replaces GHC's header, as Rts.h does.  */
#ifndef WEAK_HSFFI_H
#define WEAK_HSFFI_H

#include <stdint.h>

typedef uint8_t HsBool;
typedef void *HsStablePtr;

#endif
