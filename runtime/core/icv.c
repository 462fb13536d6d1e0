/* The default team size.  */
#include "core/icv.h"

#include "substrate/machine.h"
#include "substrate/substrate.h"

unsigned ghcomp_icv_default_threads(void)
{
  unsigned capabilities = ghcomp_substrate_host_capabilities();
  return capabilities != 0 ? capabilities : ghcomp_machine_processors();
}
