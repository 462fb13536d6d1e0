/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/machine.c\"");
#include "../../runtime/machine/disturbance.c"
#include "../../runtime/machine/elf.c"
#include "../../runtime/machine/filter.c"
#include "../../runtime/machine/libraries.c"
#include "../../runtime/machine/processors.c"
#include "../../runtime/machine/quota.c"
#include "../../runtime/machine/refusal.c"
#include "../../runtime/machine/thread_name.c"
#include "../../runtime/machine/topology.c"
