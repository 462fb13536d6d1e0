/* single, with and without copyprivate.  Spec: 5.2, 11.1.  */
#include "work/slots.h"

#include "abi/border.h"

ENTRY_POINTS(gomp_single);

EXPORT bool GOMP_single_start(void)
{
  return ghcomp_single_claim(ghcomp_self()->member);
}

EXPORT void *GOMP_single_copy_start(void)
{
  return ghcomp_single_claim_or_wait(ghcomp_self()->member);
}

EXPORT void GOMP_single_copy_end(void *data)
{
  ghcomp_single_publish(ghcomp_self()->member, data);
}
