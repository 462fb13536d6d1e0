/* One member executes the single construct; the others get what it publishes.
   code: work/single.c work/slots.c wait/parking.c.  */
#include "made_team.h"
#include "work/slots.h"

unsigned weak_threads = 3;
static int copied;

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
  int *data = ghcomp_single_claim_or_wait(member);
  if (data == NULL) {
    copied = 7;
    ghcomp_single_publish(member, &copied);
  } else
    weak_assert(data == &copied && *data == 7);
}

void weak_end(void)
{
}
