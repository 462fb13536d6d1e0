/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/wait.c\"");
#include "../../runtime/wait/lock.c"
#include "../../runtime/wait/parking.c"
#include "../../runtime/wait/patience.c"
#include "../../runtime/wait/waiter.c"
