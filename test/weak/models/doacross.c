/* An iteration of a doacross loop waits until another has posted, and sees what the other did.
   code: work/ordered.c wait/parking.c work/slots.c.  */
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
  static const uint64_t counts[] = {2}, first[] = {0};
  static const struct loop loop = {.kind = LOOP_DYNAMIC, .chunk = 1};
  const struct slot_plan plan = {.loop = &loop, .dimensions = 1, .counts = counts, .threads = 2};
  struct member *member = be(number)->member;
  member->work.loop.slot = ghcomp_slots_enter(member);
  ghcomp_slots_extra(member->work.loop.slot, &plan);
  if (number == 0) {
    done = 1;
    ghcomp_ordered_post(member, first);
  } else {
    ghcomp_ordered_wait(member, first);
    weak_assert(done == 1);
  }
}

void weak_end(void)
{
}
