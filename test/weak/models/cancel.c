/* A member cancels the region while others sleep at a barrier, or are about to.
   code: team/cancel.c team/barrier.c wait/parking.c team/gather.c team/relay.c task/task_wait.c task/ready.c.  */
#include "made_team.h"
#include "team/team.h"

unsigned weak_threads = 3;

void weak_setup(void)
{
  make_members(weak_threads);
  ghcomp_settings.cancellation = true;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    weak_assert(ghcomp_cancel_activate(self, CANCEL_PARALLEL));
    weak_assert(ghcomp_cancel_check(self, CANCEL_PARALLEL));
  } else
    weak_assert(ghcomp_barrier_wait_cancel(self));
}

void weak_end(void)
{
}
