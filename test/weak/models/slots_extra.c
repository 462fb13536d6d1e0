/* What a construct needs beyond its slot is made once.  A member that finds it made sees it
   complete.
   code: work/slots.c.  */
#include "work/slots.h"
#include "made_team.h"

unsigned weak_threads = 3;
static struct slot_extra *found[3];

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++)
    team->members[i].work.next_slot = team->first_slot;
}

void weak_thread(unsigned number)
{
  static const struct slot_plan plan = {.scratch = 16};
  struct slot *slot = ghcomp_slots_enter(be(number)->member);
  found[number] = ghcomp_slots_extra(slot, &plan);
  ((int *)found[number]->scratch)[number]++;
}

void weak_end(void)
{
  weak_assert(found[0] == found[1] && found[1] == found[2]);
}
