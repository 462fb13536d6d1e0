/* Members of a team that is large enough to spare transfers draw sections: two that have numbers below that of the sections, and
   one that looks first whether any is left.  Each section is drawn once.
   code: work/sections.c work/slots.c.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

enum { SECTIONS = 2 };
unsigned weak_threads = 3;
static const unsigned played[] = {0, 1, 4};
static int executed[SECTIONS];

void weak_setup(void)
{
  make_members(9);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++) {
    struct member *member = &team->members[played[i]];
    member->work.next_slot = team->first_slot;
    member->work.loop.sections = SECTIONS;
    member->work.loop.slot = ghcomp_slots_enter(member);
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(played[number])->member;
  for (unsigned section; (section = ghcomp_sections_next(member)) != 0;)
    executed[section - 1]++;
}

void weak_end(void)
{
  for (int i = 0; i < SECTIONS; i++)
    weak_assert(executed[i] == 1);
}
