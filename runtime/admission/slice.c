/* Short time slices while others compete for the processors.

   The threads of a region wait for each other, and regions wait for turns.  Beside a program or a Haskell thread that
   computes, each of these waits lasts for a slice of the system, because a thread that is woken waits until the slice of
   the one that computes is over.  A thread with a short slice gets a processor sooner when it is woken, and loses it
   sooner; its share of the processors is the same (Linux 6.12 and later; sched_setattr(2), "EEVDF").

   A master gets a short slice when it starts a region while turns leave processors unused (payoff.c), or regions share
   them with Haskell threads (sharing.c).  It gets its usual one back after some other regions.  Its workers follow with
   each region: all members of a team have the same slice.  Otherwise a member with a long one, which yields, would give
   its processor away for as long, and the others would wait for it.  (Barriers of eight threads on two processors took
   several times as long.)  */
#include "admission/queue.h"

#include "admission/admission.h"
#include "base/cycles.h"
#include "machine/thread.h"
#include "state/thread.h"

/* So many of its other regions later a thread has its usual slice again.  */
enum { KEPT = 64 };
/* Beside Haskell threads, threads of shorter regions yield: to sleep and wake would cost as much as these take.  */
#define SHORT_NS 50000u

static _Atomic bool used; /* some thread has had a short slice; threads that it started inherited it */

void ghcomp_admission_slice_begin(void)
{
  if (unlikely(load_relaxed(&used)))
    ghcomp_machine_drop_short_slice();
}

static void shorten(struct thread *self)
{
  self->turn.usual_slice = (uint32_t)ghcomp_machine_shorten_slice();
  if (self->turn.usual_slice != 0)
    store_relaxed(&used, true);
}

static void restore(struct thread *self)
{
  if (self->turn.usual_slice != 0)
    ghcomp_machine_set_slice(self->turn.usual_slice);
  self->turn.usual_slice = 0;
}

void ghcomp_admission_slice_change(struct thread *self, unsigned char slice)
{
  bool was_short = load_relaxed(&self->waiter.slice) != USUAL_SLICE;
  if (slice != USUAL_SLICE && !was_short)
    shorten(self);
  else if (slice == USUAL_SLICE && was_short)
    restore(self);
  store_relaxed(&self->waiter.slice, slice);
}

static void give(struct thread *self, enum slice slice)
{
  self->turn.slice_left = KEPT;
  if (load_relaxed(&self->waiter.slice) != slice)
    ghcomp_admission_slice_change(self, slice);
}

void ghcomp_admission_slice_calm(struct thread *self)
{
  self->turn.slice_left -= self->turn.slice_left != 0;
  if (self->turn.slice_left == 0 && load_relaxed(&self->waiter.slice) != USUAL_SLICE)
    ghcomp_admission_slice_change(self, USUAL_SLICE);
}

void ghcomp_admission_slice_choose(struct thread *self)
{
  if (ghcomp_admission_payoff_is_unused())
    give(self, ghcomp_admission_payoff_others_compute() ? SHORT_SLICE_NO_YIELDS : SHORT_SLICE);
  else if (ghcomp_admission_sharing_is_on())
    give(self, self->turn.region_took < cycles_in(SHORT_NS) ? SHORT_SLICE : SHORT_SLICE_NO_YIELDS);
  else
    ghcomp_admission_slice_calm(self);
}
