/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_gomp.c\"");
#include "../../runtime/abi/gomp/barrier.c"
#include "../../runtime/abi/gomp/cancel.c"
#include "../../runtime/abi/gomp/critical.c"
#include "../../runtime/abi/gomp/error.c"
#include "../../runtime/abi/gomp/loop.c"
#include "../../runtime/abi/gomp/ordered.c"
#include "../../runtime/abi/gomp/parallel.c"
#include "../../runtime/abi/gomp/scope.c"
#include "../../runtime/abi/gomp/single.c"
#include "../../runtime/abi/gomp/target.c"
#include "../../runtime/abi/gomp/task.c"
#include "../../runtime/abi/gomp/teams.c"
