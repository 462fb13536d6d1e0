/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/admission.c\"");
#include "../../runtime/admission/library.c"
#include "../../runtime/admission/queue.c"
#include "../../runtime/admission/turn.c"
#include "../../runtime/admission/turn_wait.c"
