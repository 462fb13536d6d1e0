/* Parts of a loop are made once, and cleared before the block is used again.
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
    team->members[i].work.next_slot.index = BLOCK_SLOTS - 1;
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  for (int i = 0; i < 2; i++) {
    ghcomp_slots_enter(member);
    struct own_part *parts = ghcomp_slots_parts(member);
    weak_assert(load_relaxed_at(0, &parts[number].range.bounds) == UINT64_MAX);
    store_relaxed_at(0, &parts[number].range.bounds, 1);
  }
}

void weak_end(void)
{
}
