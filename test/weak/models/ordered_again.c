/* Two members draw the chunks of an ordered loop.  The fourth chunk's turn comes where the second one's did, and another member
   may wait for it, which may have slept there, or may sleep.
   code: work/ordered.c work/schedule.c wait/parking.c work/slots.c work/own_parts.c.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

enum { CHUNKS = 4 };
unsigned weak_threads = 2;
static struct slot *slot;
static struct own_part *parts;
static int last;

/* A team of two would use a counter.  */
void weak_setup(void)
{
  make_members(weak_threads);
  slot = weak_alloc(sizeof *slot);
  parts = weak_alloc(weak_threads * sizeof *parts);
  for (unsigned i = 0; i < weak_threads; i++) {
    store_relaxed_at(0, &parts[i].turn.passed, UINT64_MAX);
    store_relaxed_at(0, &parts[i].turn.sleeper, TURN_NOBODY);
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  struct loop *loop = &member->work.loop;
  *loop = (struct loop){.kind = LOOP_DYNAMIC, .ordered = true, .adds_cannot_overflow = true, .count = CHUNKS, .chunk = 1,
                        .slot = slot, .parts = parts};
  while (ghcomp_schedule_next(member)) {
    ghcomp_ordered_enter(member);
    weak_assert(last == (int)loop->chunk_first);
    last++;
    ghcomp_ordered_leave(member);
  }
}

void weak_end(void)
{
  weak_assert(last == CHUNKS);
}
