/* Made by tools/cabal-exports.  */
__asm__(".print \"Compiled cbits/units/places.c\"");
#include "../../runtime/places/affinity_format.c"
#include "../../runtime/places/affinity_mask.c"
#include "../../runtime/places/coordinates.c"
#include "../../runtime/places/places.c"
#include "../../runtime/places/places_helpers.c"
#include "../../runtime/places/places_kmp.c"
#include "../../runtime/places/places_parse.c"
#include "../../runtime/places/places_subset.c"
#include "../../runtime/places/places_topology.c"
#include "../../runtime/places/places_verbose.c"
