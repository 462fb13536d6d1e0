/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_kmp_2.c\"");
#include "../../runtime/abi/kmp/dispatch.c"
#include "../../runtime/abi/kmp/for_static.c"
#include "../../runtime/abi/kmp/lock.c"
#include "../../runtime/abi/kmp/parallel.c"
#include "../../runtime/abi/kmp/settings.c"
