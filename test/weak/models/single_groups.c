/* Three members in two groups, with nowait: one of them executes each of two constructs.  The third is at the second construct
   while the others are at the first.
   code: work/slots.c.  */
#define MEMBER_GROUP 2u
#include "singles.h"

void weak_setup(void)
{
  make_singles(weak_threads);
}
