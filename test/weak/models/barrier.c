/* Members write, meet at a barrier, and read what the others wrote.  No member sleeps for ever.
   code: team/barrier.c wait/parking.c team/gather.c team/relay.c task/task_wait.c task/ready.c.  */
#include "made_team.h"
#include "team/team.h"

unsigned weak_threads = 2;
static int written[MOST];

void weak_setup(void)
{
  make_members(weak_threads);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  written[number] = 1;
  ghcomp_barrier_wait(self);
  for (unsigned i = 0; i < weak_threads; i++)
    weak_assert(written[i] == 1);
  ghcomp_barrier_wait(self);
  written[1 - number]++;
}

void weak_end(void)
{
  weak_assert(team->crew.parked == 0 && team->barrier.phase == 2);
}
