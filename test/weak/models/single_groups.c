/* Three members in two groups, with nowait: one of them executes each of two constructs.  The third is at the second construct
   while the others are at the first.
   code: work/slots.c.  */
#define MEMBER_GROUP 2u
#include "work/single.c"

#include "made_team.h"

enum { CONSTRUCTS = 2 };
unsigned weak_threads = 3;
static _Atomic int executed[CONSTRUCTS];

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++)
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
