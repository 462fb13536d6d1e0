/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/threads_pthread.c\"");
#include "../../runtime/threads/pthread/threads.c"
