/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_gomp_2.c\"");
#include "../../runtime/abi/gomp/parallel_loop.c"
