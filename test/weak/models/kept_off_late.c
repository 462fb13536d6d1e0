/* A master that waits at its region's end keeps a worker off a processor.  The worker may run again at that moment, and move
   by itself; then it has served, and takes its processor back, now or after its next region.  The worker's affinity mask is
   never changed by two threads at once, and in the end it is whole.
   code: team/spread.c.  */
#include "made_team.h"
#include "team/team_wait.h"

unsigned weak_threads = 2;
static _Atomic uint32_t mail;
static unsigned mask = 3; /* the worker's affinity mask */

bool ghcomp_parking_is_crowded(void)
{
  return false;
}

/* Both threads seem to be on processor 0.  */
void ghcomp_machine_leave_processor(int processor)
{
  weak_assert(mask == 3);
  mask &= ~(1u << processor);
  mask |= 1u << processor;
}

bool ghcomp_machine_keep_off(int kernel_thread, int processor)
{
  weak_assert(kernel_thread == 7 && mask == 3);
  mask &= ~(1u << processor);
  return true;
}

void ghcomp_machine_let_on(int processor)
{
  weak_assert(mask == 1);
  mask |= 1u << processor;
}

void weak_setup(void)
{
  make_members(2);
  store_relaxed_at(0, &thread[1]->computing_thread, 7);
  thread[1]->is_worker = true;
  thread[1]->spread.suspicions = 15; /* the next one counts */
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    ghcomp_spread_keep_one_off(thread[1], 1);
    store_release_at(0, &mail, 1); /* of the next region */
  } else {
    ghcomp_spread_suspect(thread[1], team);
    ghcomp_spread_let_on(thread[1]);
    weak_await(&mail, sizeof mail);
    ghcomp_spread_let_on(thread[1]);
  }
}

void weak_end(void)
{
  weak_assert(mask == 3);
  weak_assert(load_relaxed_at(0, &thread[1]->mail.kept_off) == 0);
}
