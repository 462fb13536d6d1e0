/* Three members share a loop's counter.  Two of them have drawn one chunk at its begin, and come back when eight chunks are left:
   they take the loop for much longer than it is, and draw several.  The third one comes for the first time.  Each chunk is
   executed once, and each member's in increasing order.  Who has found the end adds no more to the counter.
   code: work/schedule.c work/slots.c.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

enum { CHUNK = 3, CHUNKS = 600, LEFT = 8, LATE = 2, DRAW = CHUNKS / (DRAW_DIVISOR * 3) };
unsigned weak_threads = 3;
static const uint64_t count = CHUNKS * CHUNK - 1; /* the last chunk is shorter */
static unsigned executed[LEFT];

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  const struct loop whole = {.kind = LOOP_DYNAMIC, .count = count, .chunk = CHUNK};
  for (unsigned i = 0; i < weak_threads; i++) {
    team->members[i].work.next_slot = team->first_slot;
    ghcomp_schedule_begin(&team->members[i], &whole);
    struct loop *loop = &team->members[i].work.loop;
    if (i < LATE) {
      loop->last_draw = 1;
      loop->drawn_end = 1;
    }
    store_relaxed_at(0, &loop->slot->handed_out, (CHUNKS - LEFT) * CHUNK);
  }
}

void weak_thread(unsigned number)
{
  struct member *member = be(number)->member;
  struct loop *loop = &member->work.loop;
  uint64_t past = 0;
  while (ghcomp_schedule_next(member)) {
    weak_assert(loop->chunk_first >= past && loop->chunk_first % CHUNK == 0);
    past = loop->chunk_end;
    weak_assert(past == count || (past < count && past % CHUNK == 0));
    for (uint64_t i = loop->chunk_first / CHUNK; i * CHUNK < past; i++)
      executed[i - (CHUNKS - LEFT)]++; /* a race, if another member has it, too */
  }
  weak_assert(!ghcomp_schedule_next(member));
}

void weak_end(void)
{
  for (unsigned i = 0; i < LEFT; i++)
    weak_assert(executed[i] == 1);
  /* After the end who knows of it adds nothing, each other member at most one draw.  */
  weak_assert(team->members[0].work.loop.slot->handed_out <= (CHUNKS + LATE * DRAW) * CHUNK);
}
