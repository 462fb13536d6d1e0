/* Three iterations of an ordered loop, each on its own thread.  Their ordered parts run in order,
   and each sees what the one before did.
   code: work/ordered.c wait/parking.c.  */
#include "made_team.h"
#include "work/slots.h"

unsigned weak_threads = 3;
static struct slot *slot;
static int last;

void weak_setup(void)
{
  make_members(weak_threads);
  slot = weak_alloc(sizeof *slot);
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  member->work.loop.ordered = true;
  member->work.loop.slot = slot;
  member->work.loop.chunk_first = number;
  member->work.loop.chunk_end = number + 1;
  ghcomp_ordered_enter(member);
  weak_assert(last == (int)number);
  last++;
  ghcomp_ordered_leave(member);
}

void weak_end(void)
{
  weak_assert(last == 3);
}
