/* Two members draw the chunks of a loop from their own parts and from each other's.  Each chunk is
   executed once, and the member that executes the last one executes none after it.
   code: work/own_parts.c work/slots.c.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

enum { CHUNKS = 3 };
unsigned weak_threads = 2, weak_bound = 18;
static int executed[CHUNKS];

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
  struct loop *loop = &member->work.loop;
  loop->count = CHUNKS;
  loop->chunk = 1;
  loop->slot = ghcomp_slots_enter(member);
  weak_assert(ghcomp_own_parts_begin(member));
  bool last = false;
  while (ghcomp_own_parts_next(member))
    for (uint64_t i = loop->chunk_first; i < loop->chunk_end; i++) {
      weak_assert(!last);
      last = i == CHUNKS - 1;
      executed[i]++;
    }
}

void weak_end(void)
{
  for (int i = 0; i < CHUNKS; i++)
    weak_assert(executed[i] == 1);
}
