/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/settings.c\"");
#include "../../runtime/settings/env.c"
#include "../../runtime/settings/env_allocator.c"
#include "../../runtime/settings/env_display.c"
#include "../../runtime/settings/env_llvm.c"
#include "../../runtime/settings/env_show.c"
#include "../../runtime/settings/env_values.c"
#include "../../runtime/settings/env_variables.c"
#include "../../runtime/settings/icv.c"
