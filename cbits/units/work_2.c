/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/work_2.c\"");
#include "../../runtime/work/ordered.c"
#include "../../runtime/work/slots.c"
