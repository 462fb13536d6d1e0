/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/memory_4.c\"");
#include "../../runtime/memory/threadprivate.c"
