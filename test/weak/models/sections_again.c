/* Two members of a large team pass through three blocks and meet sections in the first one and in the third, which is the first one
   again, or a new one.  The sections are not drawn at first there.
   code: work/sections.c work/slots.c.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

enum { BLOCKS = 3, TEAM = 9 };
unsigned weak_threads = 2;
static int executed[BLOCKS];

void weak_setup(void)
{
  make_members(TEAM);
  ghcomp_slots_make(team);
  store_relaxed_at(0, &team->first_slot.block->members_gone_on, TEAM - weak_threads); /* the other members have left it */
  for (unsigned i = 0; i < weak_threads; i++) {
    team->members[i].work.next_slot = team->first_slot;
    team->members[i].work.loop.sections = 1;
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  for (int block = 0; block < BLOCKS; block++) {
    if (block != 0)
      member->work.next_slot.index = BLOCK_SLOTS; /* its other slots are passed */
    member->work.loop.slot = ghcomp_slots_enter(member);
    bool draws = block != 1 && (block == 2 || number == 0);
    if (draws && ghcomp_sections_next(member) != 0)
      executed[block]++;
  }
}

void weak_end(void)
{
  for (int i = 0; i < BLOCKS; i++)
    weak_assert(executed[i] == (i != 1));
}
