/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/memory_2.c\"");
#include "../../runtime/memory/free_list.c"
