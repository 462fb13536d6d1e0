/* Three iterations of an ordered loop that are dealt out, each on its own thread, whose turn comes on a line of its own.  Their
   ordered parts run in order, and each sees what the one before did.
   code: work/ordered.c wait/parking.c work/slots.c.  */
#include "made_team.h"
#include "work/slots.h"

unsigned weak_threads = 3;
static int last;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++)
    team->members[i].work.next_slot = team->first_slot;
  be(0);
  for (unsigned i = 0; i < weak_threads; i++) { /* the parts are made before they come, which slots_parts.c explores */
    struct member *member = &team->members[i];
    member->work.loop = (struct loop){.kind = LOOP_STATIC, .chunk = 1, .count = 3, .ordered = true, .chunk_first = i, .chunk_end = i + 1};
    member->work.loop.slot = ghcomp_slots_enter(member);
    ghcomp_ordered_begin(member);
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  weak_assert(member->work.loop.parts != NULL);
  ghcomp_ordered_enter(member);
  weak_assert(last == (int)number);
  last++;
  ghcomp_ordered_leave(member);
}

void weak_end(void)
{
  weak_assert(last == 3);
}
