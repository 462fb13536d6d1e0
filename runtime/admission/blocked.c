/* Whether regions often block: they wait inside for something that is not the runtime's, such as a value from another
   region, a message, a lock of the program, or a Capability for a callback.

   A region that blocks needs few processors, and others could have the rest.  If it got only as many threads as processors
   are free, its parallel part would wait for its blocked part.  So regions that may be smaller have all their threads
   while regions often block.  This is decided for all masters together: regions of different sizes would wait for each
   other's slowest threads.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "base/stats.h"
#include "machine/thread.h"
#include "state/thread.h"

/* A measurement is four system calls, so a thread measures only one of so many counted regions.  */
enum { REGIONS_PER_MEASUREMENT = 7 };
/* A score of the last measured regions of all masters together.  Each one that blocked counts once, each other one once
   against it.  Regions often block from OFTEN_FROM on, and until 0.  Relaxed: an update may be lost.  */
enum { OFTEN_FROM = 4, OFTEN_MOST = 16 };
static _Atomic unsigned score;
static _Atomic bool often;

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

bool ghcomp_admission_blocked_often(void)
{
  return unlikely(load_relaxed(&often));
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

/* All threads together have computed for less than two thirds of the time, if each has computed as long as the master.  So
   the answer does not change just because the region has more threads.  A thread that waited for a processor has not slept.  */
static bool has_blocked(const struct thread *self, unsigned threads)
{
  if (sleeps_for_others(self) <= self->blocked.sleeps)
    return false;
  uint64_t took = cycles_to_ns(ghcomp_admission_now() - self->turn.region_began);
  return threads * (computed_so_far(self) - self->blocked.computed) < took - took / 3;
}

static void learn(bool blocked)
{
  unsigned now = load_relaxed(&score);
  if (blocked)
    now += now < OFTEN_MOST;
  else
    now -= now != 0;
  store_relaxed(&score, now);
  if (now >= OFTEN_FROM)
    store_relaxed(&often, true);
  else if (now == 0)
    store_relaxed(&often, false);
}

void ghcomp_admission_blocked_end(struct thread *self, unsigned threads)
{
  if (likely(!self->blocked.is_measured))
    return;
  self->blocked.is_measured = false;
  learn(has_blocked(self, threads));
}

void ghcomp_admission_blocked_forget(void)
{
  store_relaxed(&score, 0);
  store_relaxed(&often, false);
}
