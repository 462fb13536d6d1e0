/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/machine_2.c\"");
#include "../../runtime/machine/process.c"
#include "../../runtime/machine/thread.c"
