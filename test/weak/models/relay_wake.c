/* A member sleeps until another ends the phase.  A third member, which was woken, helps to wake
   others.
   code: team/relay.c wait/parking.c.  */
#include "made_team.h"
#include "team/team_wait.h"

unsigned weak_threads = 3;

void weak_setup(void)
{
  make_members(weak_threads);
}

static bool has_ended(void)
{
  return load_seq_cst_at(0, &team->barrier.phase) != 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 2) {
    swap_seq_cst_at(0, &team->barrier.phase, 1);
    if (load_seq_cst_at(0, &team->crew.parked) != 0)
      ghcomp_relay_wake_all(team);
    return;
  }
  if (number == 1) {
    if (!has_ended())
      weak_spin();
    ghcomp_relay_wake_more(team);
    return;
  }
  while (!has_ended()) {
    ghcomp_parking_prepare(&self->waiter, &team->crew, PARK_FOR_NOTHING);
    if (!has_ended())
      ghcomp_parking_sleep(&self->waiter);
    ghcomp_parking_finish(&self->waiter, &team->crew);
  }
}

void weak_end(void)
{
  weak_assert(team->crew.parked == 0);
}
