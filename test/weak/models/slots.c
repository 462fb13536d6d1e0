/* Two members go through three blocks of constructs.  Both find the same slot for a construct, and
   the slot is zero at first.
   code: work/slots.c.  */
#include "work/slots.h"
#include "made_team.h"

unsigned weak_threads = 2;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++) {
    team->members[i].work.next_slot = team->first_slot;
    team->members[i].work.next_slot.index = BLOCK_SLOTS;
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  for (int i = 0; i < 2; i++) {
    struct slot *slot = ghcomp_slots_enter(member);
    weak_assert(add_relaxed_at(0, &slot->handed_out, 1) < weak_threads);
    member->work.next_slot.index = BLOCK_SLOTS;
  }
}

void weak_end(void)
{
  for (unsigned i = 0; i < weak_threads; i++)
    weak_assert(team->members[i].work.next_slot.block == team->slots.oldest);
}
