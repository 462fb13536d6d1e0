/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/threads.c\"");
#include "../../runtime/threads/give_way.c"
#include "../../runtime/threads/host_threads.c"
#include "../../runtime/threads/load.c"
#include "../../runtime/threads/spawn.c"
#include "../../runtime/threads/substrate.c"
