/* Whether a thread's regions block: they wait inside for something that is not the runtime's, such as a value from another
   region, a message, a lock of the program, or a Capability for a callback.

   A region that blocks needs few processors, and the others have nothing to wait for.  If it got only as many threads as
   processors are free, its parallel part would wait for its blocked part.  Therefore it begins at once, with all its
   threads.  This is so only for regions that may be smaller; others have their size anyway.

   Only the thread whose regions these are calls these functions.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "base/stats.h"
#include "machine/thread.h"
#include "state/thread.h"

/* A measurement is four system calls, so only one of so many counted regions is measured.  */
enum { REGIONS_PER_MEASUREMENT = 7 };
/* A score of the last measured regions: each one that blocked counts once, each other one once against it.  */
enum { OFTEN_FROM = 2, SCORE_OF_ALL = 4 };

/* How often the thread has slept for others than the runtime; a sleep of the runtime that ended before it began makes it
   fewer.  */
static int64_t sleeps_for_others(const struct thread *self)
{
  return (int64_t)(ghcomp_machine_thread_sleeps() - load_relaxed(&self->waiter.counters.count[STAT_SLEEPS]));
}

static uint64_t computed_so_far(const struct thread *self)
{
  return ghcomp_machine_thread_computed(load_relaxed(&self->kernel_thread));
}

void ghcomp_admission_blocked_begin(struct thread *self)
{
  struct thread_blocked *blocked = &self->blocked;
  blocked->is_measured = blocked->measured_in == 0;
  if (!blocked->is_measured) {
    blocked->measured_in--;
    return;
  }
  blocked->measured_in = REGIONS_PER_MEASUREMENT - 1;
  blocked->sleeps = sleeps_for_others(self);
  blocked->computed = computed_so_far(self);
}

/* Less than three quarters of the time computed.  A thread that waited for a processor has not slept.  */
static bool has_blocked(const struct thread *self)
{
  if (sleeps_for_others(self) <= self->blocked.sleeps)
    return false;
  uint64_t took = cycles_to_ns(ghcomp_admission_now() - self->turn.region_began);
  return computed_so_far(self) - self->blocked.computed < took - took / 4;
}

void ghcomp_admission_blocked_end(struct thread *self)
{
  struct thread_blocked *blocked = &self->blocked;
  if (likely(!blocked->is_measured))
    return;
  blocked->is_measured = false;
  if (has_blocked(self))
    blocked->score += blocked->score < SCORE_OF_ALL;
  else
    blocked->score -= blocked->score != 0;
  if (blocked->score >= OFTEN_FROM)
    blocked->often = true;
  else if (blocked->score == 0)
    blocked->often = false;
}
