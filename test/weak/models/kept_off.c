/* A master keeps a worker off the master's processor.  The worker serves, and takes its processor
   back, while the next master keeps it off again.  The worker's affinity mask is never changed by
   two threads at once.
   code: team/spread.c.  */
#include "made_team.h"
#include "team/team_wait.h"

unsigned weak_threads = 3;
static _Atomic uint32_t mail, joined;
static unsigned mask = 3; /* the worker's affinity mask */
static unsigned times;
static struct thread *next_master;

bool ghcomp_parking_is_crowded(void)
{
  return false;
}

bool ghcomp_machine_keep_off(int kernel_thread, int processor)
{
  weak_assert(kernel_thread == 7 && mask == 3);
  mask &= ~(1u << processor);
  times++;
  return true;
}

void ghcomp_machine_let_on(int processor)
{
  weak_assert(mask == 2);
  mask |= 1u << processor;
}

void weak_setup(void)
{
  make_members(2);
  team->within_processors = true;
  next_master = weak_alloc(sizeof *next_master);
  store_relaxed_at(0, &thread[1]->computing_thread, 7);
}

/* The second master has the worker in its own team by then; here it uses the same team.  */
void weak_thread(unsigned number)
{
  if (number == 0) {
    ghcomp_spread_keep_off(thread[0], team);
    store_release_at(0, &mail, 1);
  } else if (number == 1) {
    weak_await(&mail, sizeof mail);
    store_release_at(0, &joined, 1);
    ghcomp_spread_let_on(thread[1]);
  } else {
    weak_await(&joined, sizeof joined);
    ghcomp_spread_keep_off(next_master, team);
  }
}

void weak_end(void)
{
  weak_assert(times == 1 || times == 2);
  weak_assert(mask == (times == 1 || load_relaxed_at(0, &thread[1]->mail.kept_off) == 0 ? 3 : 2));
}
