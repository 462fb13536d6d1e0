/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/target.c\"");
#include "../../runtime/target/target.c"
