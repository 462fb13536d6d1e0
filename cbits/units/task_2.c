/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/task_2.c\"");
#include "../../runtime/task/ranges.c"
#include "../../runtime/task/taskloop.c"
