/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_kmp_4.c\"");
#include "../../runtime/abi/kmp/taskred.c"
