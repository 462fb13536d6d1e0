/* The iterations of a part share a counter.  A thread that waits for the second iteration sees what
   both did.
   code: work/ordered.c wait/parking.c work/slots.c work/schedule.c.  */
#include "made_team.h"
#include "work/slots.h"

unsigned weak_threads = 2;
static int done;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_slots_make(team);
  for (unsigned i = 0; i < weak_threads; i++)
    team->members[i].work.next_slot = team->first_slot;
}

void weak_thread(unsigned number)
{
  static const uint64_t counts[] = {4}, vectors[] = {0, 1};
  static const struct loop loop = {.kind = LOOP_STATIC, .chunk = 0, .count = 4};
  const struct slot_plan plan = {.loop = &loop, .dimensions = 1, .counts = counts, .threads = 2};
  struct member *member = be(number)->member;
  member->work.loop.slot = ghcomp_slots_enter(member);
  ghcomp_slots_extra(member->work.loop.slot, &plan);
  if (number == 0) {
    done = 1;
    ghcomp_ordered_post(member, &vectors[0]);
    done = 2;
    ghcomp_ordered_post(member, &vectors[1]);
  } else {
    ghcomp_ordered_wait(member, &vectors[1]);
    weak_assert(done == 2);
  }
}

void weak_end(void)
{
}
