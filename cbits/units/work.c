/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/work.c\"");
#include "../../runtime/work/across.c"
#include "../../runtime/work/nest.c"
#include "../../runtime/work/own_parts.c"
#include "../../runtime/work/schedule.c"
#include "../../runtime/work/sections.c"
#include "../../runtime/work/single.c"
