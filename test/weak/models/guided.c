/* Three members share a guided loop.  The first chunk is larger than the others, and drawn by a compare-and-swap; the others are as
   small as they may be, and drawn by additions.  Each iteration is executed once, and each member's in increasing order.
   code: work/schedule.c work/slots.c.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

enum { COUNT = 5, LARGE = 2 };
unsigned weak_threads = 3;
static unsigned executed[COUNT];

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  const struct loop whole = {.kind = LOOP_GUIDED, .count = COUNT, .chunk = 1};
  for (unsigned i = 0; i < weak_threads; i++) {
    team->members[i].work.next_slot = team->first_slot;
    ghcomp_schedule_begin(&team->members[i], &whole);
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  struct loop *loop = &member->work.loop;
  uint64_t past = 0;
  while (ghcomp_schedule_next(member)) {
    weak_assert(loop->chunk_first >= past);
    past = loop->chunk_end;
    weak_assert(past == loop->chunk_first + (loop->chunk_first == 0 ? LARGE : 1));
    for (uint64_t i = loop->chunk_first; i < past; i++)
      executed[i]++; /* a race, if another member has it, too */
  }
}

void weak_end(void)
{
  for (unsigned i = 0; i < COUNT; i++)
    weak_assert(executed[i] == 1);
  /* After the end each member adds at most once.  */
  weak_assert(team->members[0].work.loop.slot->handed_out <= COUNT + weak_threads);
}
