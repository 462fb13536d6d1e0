/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/team_2.c\"");
#include "../../runtime/team/join.c"
#include "../../runtime/team/relay.c"
#include "../../runtime/team/reuse.c"
#include "../../runtime/team/stay_awake.c"
