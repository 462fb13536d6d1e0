/* Three members in a tree of two heads meet at a barrier and read what the others wrote.  The one that is no head learns of the
   end from its group's word, or by its own look at the phase.  Whoever leaves takes the number of the next phase from the
   group's word.  Nobody sleeps for ever.
   code: team/barrier.c wait/parking.c task/task_wait.c task/ready.c.  */
#define GATHER_WIDTH 2u
#include "team/gather.c"

#include "made_team.h"
#include "team/team.h"

unsigned weak_threads = 3;
static int written[MOST];

/* relay_wake.c has what these do.  */
void ghcomp_relay_wake_all(struct team *all)
{
  ghcomp_parking_wake_crew_slow(&all->crew);
}

void ghcomp_relay_wake_more(struct team *all)
{
  (void)all;
}

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_settings.tree_given = true;
  ghcomp_settings.tree_least_size = weak_threads;
  ghcomp_gather_shape(team);
  weak_assert(team->heads == 2);
  team->released_by_groups = true;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  written[number] = 1;
  ghcomp_barrier_wait(self);
  for (unsigned i = 0; i < weak_threads; i++)
    weak_assert(written[i] == 1);
  weak_assert(load_relaxed_at(0, &team->members[0].group.released) == 1);
}

void weak_end(void)
{
  weak_assert(team->crew.parked == 0 && team->barrier.phase == 1);
}
