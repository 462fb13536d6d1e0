/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/cbits_2.c\"");
#include "../../cbits/HostNumber.c"
