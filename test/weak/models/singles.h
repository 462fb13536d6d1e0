/* Three members of a hand-made team come to single constructs with nowait: one of them executes each.  */
#ifndef WEAK_SINGLES_H
#define WEAK_SINGLES_H

#include "work/single.c"

#include "made_team.h"

enum { CONSTRUCTS = 2 };
unsigned weak_threads = 3;
static _Atomic int executed[CONSTRUCTS];

static void make_singles(unsigned members)
{
  make_members(members);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < members; i++)
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

#endif
