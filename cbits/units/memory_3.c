/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/memory_3.c\"");
#include "../../runtime/memory/pinned.c"
