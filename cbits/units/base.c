/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/base.c\"");
#include "../../runtime/base/inside.c"
#include "../../runtime/base/memory.c"
#include "../../runtime/base/message.c"
#include "../../runtime/base/stats.c"
#include "../../runtime/base/text.c"
#include "../../runtime/base/version.c"
