/* Before a master sleeps at its region's end: who else could use its processor?

   A worker may be waiting for another processor, behind a Haskell thread or another program.  The system often leaves it
   there for milliseconds, although the master's processor has nothing to do from now on: it does not move a thread that
   has run a moment ago, and in a virtual machine it takes a processor that is idle for one that the host has taken away.
   So the master keeps the worker off that processor until it has served.  That moves a thread that waits for it.

   Not where threads outnumber processors, or where many regions meet beside Haskell threads (admission/sharing.c): there
   the processor has other threads of the process, which wait already.  Nor where threads are bound to places.  */
#include "team/team_wait.h"

#include "admission/admission.h"
#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "wait/parking.h"

/* The next look comes this long after one that found nothing, or after a worker was moved.  For the whole process: threads
   that are moved often do not get on.  */
#define AFTER_LOOK_NS 100000u
#define AFTER_PULL_NS 200000u
/* A thread whose clock stands still for so long does not compute.  */
#define STANDS_STILL_NS 1000u
/* For a larger team the look would cost more than it gains.  */
enum { LARGEST = 8 };

/* Cycles.  Relaxed: if two threads look at the same time, one look is too many.  */
static _Atomic uint64_t next_look;

static bool is_due(const struct team *team, uint64_t now)
{
  return team->size <= LARGEST && now >= load_relaxed(&next_look) && !ghcomp_parking_is_crowded() &&
         ghcomp_machine_processors() > 1 && !ghcomp_admission_sharing_is_on();
}

/* Its processor time in nanoseconds; 0: it sleeps, or is on this processor.  */
static uint64_t computed(const struct thread *worker, int here)
{
  if (load_relaxed(&worker->waiter.park) != AWAKE || load_relaxed(&worker->waiter.processor) == here)
    return 0;
  return ghcomp_machine_thread_computed(load_relaxed(&worker->kernel_thread));
}

static void wait_a_moment(void)
{
  for (unsigned pauses = ghcomp_parking_pauses_in(cycles_in(STANDS_STILL_NS)); pauses != 0; pauses--)
    cpu_relax();
}

/* A worker that has no processor, or NULL.  */
static struct thread *find(const struct team *team)
{
  uint64_t before[LARGEST] = {0}, any = 0;
  int here = ghcomp_machine_here();
  for (unsigned i = 1; i < team->size; i++)
    any |= before[i] = computed(team->members[i].thread, here);
  if (any != 0)
    wait_a_moment();
  for (unsigned i = 1; i < team->size; i++)
    if (before[i] != 0 && computed(team->members[i].thread, here) == before[i])
      return team->members[i].thread;
  return NULL;
}

void ghcomp_pull_worker(struct thread *self, const struct team *team)
{
  if (!is_due(team, cycles_now()))
    return;
  struct thread *worker = find(team);
  bool pulled = worker != NULL && ghcomp_spread_keep_one_off(worker, load_relaxed(&worker->waiter.processor));
  store_relaxed(&next_look, cycles_now() + cycles_in(pulled ? AFTER_PULL_NS : AFTER_LOOK_NS));
  if (pulled)
    ghcomp_count(&self->waiter.counters, STAT_THREADS_PULLED);
}
