/* Where a Capability has its number, of which GHC's headers for compiled code know nothing.  A file of its own: Rts.h defines some
   names of DerivedConstants.h again.  */
#include "threads/host.h"

#include <DerivedConstants.h>

/* In an RTS with other fields between the number and the next field that compiled code uses, it is not known.  */
const size_t ghcomp_host_number = OFFSET_Capability_mut_lists - OFFSET_Capability_no == 72 ? OFFSET_Capability_no : 0;
