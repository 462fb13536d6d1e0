/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_kmp_3.c\"");
#include "../../runtime/abi/kmp/reduce.c"
#include "../../runtime/abi/kmp/taskloop.c"
