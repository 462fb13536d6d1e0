/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_ghcomp.c\"");
#include "../../runtime/abi/ghcomp/info.c"
#include "../../runtime/abi/ghcomp/stats.c"
