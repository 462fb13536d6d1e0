/* Three members reach the end of a block at once, and each makes a successor.  One is used.  One of
   the two other members finds the third's block where it puts its own.
   code: work/slots.c.  */
#include "work/slots.h"
#include "made_team.h"

unsigned weak_threads = 3;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  store_relaxed_at(0, &team->slots.oldest->next, NULL);
  for (unsigned i = 0; i < weak_threads; i++) {
    team->members[i].work.next_slot = team->first_slot;
    team->members[i].work.next_slot.index = BLOCK_SLOTS;
  }
}

void weak_thread(unsigned number)
{
  struct slot *slot = ghcomp_slots_enter(be(number)->member);
  weak_assert(add_relaxed_at(0, &slot->handed_out, 1) < weak_threads);
}

void weak_end(void)
{
  weak_assert(team->members[0].work.next_slot.block == team->slots.oldest);
}
