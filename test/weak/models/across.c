/* A doacross loop with a bit for each iteration.  One iteration waits until another has posted, and
   sees what the other did.
   code: work/across.c work/ordered.c wait/parking.c work/slots.c.  */
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
  static const struct span spans[] = {{.first = 0, .last = 1, .step = 1}};
  static const int64_t first[] = {0};
  struct member *member = be(number)->member;
  ghcomp_across_begin(member, 1, spans);
  if (number == 0) {
    done = 1;
    ghcomp_across_post(member, first);
  } else {
    ghcomp_across_wait(member, first);
    weak_assert(done == 1);
  }
}

void weak_end(void)
{
}
