/* Three members in two groups leave a block: whoever clears it sees what all did there.
   code: .  */
#define MEMBER_GROUP 2u
#include "work/slots.c"

#include "made_team.h"

unsigned weak_threads = 3;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++) {
    team->members[i].work.next_slot = team->first_slot;
    team->members[i].work.next_slot.index = BLOCK_SLOTS - 1;
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  struct slot *slot = ghcomp_slots_enter_shared(member);
  weak_assert(add_relaxed_at(0, &slot->handed_out, 1) < weak_threads);
  ghcomp_slots_enter_shared(member);
}

void weak_end(void)
{
  weak_assert(load_relaxed_at(0, &team->slots.oldest->slots[0].gone_on) == 0);
}
