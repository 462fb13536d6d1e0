/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/memory.c\"");
#include "../../runtime/memory/alloc_registry.c"
#include "../../runtime/memory/allocator.c"
