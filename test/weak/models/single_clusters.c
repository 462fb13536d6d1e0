/* As single_groups.c, in a cluster of two groups: two members of one group, and one of the other.  No member of the team's second
   cluster comes: it would hide that the first one has lost a construct.
   code: work/slots.c.  */
#define MEMBER_GROUP 2u
#define SINGLE_CLUSTER 4u
#include "work/single.c"

#include "made_team.h"

enum { CONSTRUCTS = 2, TEAM = 5 };
unsigned weak_threads = 3;
static _Atomic int executed[CONSTRUCTS];

void weak_setup(void)
{
  make_members(TEAM);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < TEAM; i++)
    team->members[i].work.next_slot = team->first_slot;
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  for (int i = 0; i < CONSTRUCTS; i++)
    if (ghcomp_single_claim(member))
      add_relaxed_at(0, &executed[i], 1);
}

void weak_end(void)
{
  for (int i = 0; i < CONSTRUCTS; i++)
    weak_assert(load_relaxed_at(0, &executed[i]) == 1);
}
