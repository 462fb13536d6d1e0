/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/abi_omp.c\"");
#include "../../runtime/abi/omp/alloc.c"
#include "../../runtime/abi/omp/device.c"
#include "../../runtime/abi/omp/fortran.c"
#include "../../runtime/abi/omp/interop.c"
#include "../../runtime/abi/omp/lock.c"
#include "../../runtime/abi/omp/places.c"
#include "../../runtime/abi/omp/settings.c"
#include "../../runtime/abi/omp/time.c"
