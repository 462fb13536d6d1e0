/* As single_groups.c, in a cluster of two groups: two members of one group, and one of the other.  No member of the team's second
   cluster comes: it would hide that the first one has lost a construct.
   code: work/slots.c.  */
#define MEMBER_GROUP 2u
#define SINGLE_CLUSTER 4u
#include "singles.h"

void weak_setup(void)
{
  make_singles(5);
}
