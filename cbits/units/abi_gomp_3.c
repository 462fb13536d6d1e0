/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_gomp_3.c\"");
#include "../../runtime/abi/gomp/sections.c"
