/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/task_3.c\"");
#include "../../runtime/task/task.c"
