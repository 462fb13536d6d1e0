/* Short time slices while others compete for the processors.

   The threads of a region wait for each other, and regions wait for turns.  Beside a program or a Haskell thread that
   computes, each of these waits lasts for a slice of the system, because a thread that is woken waits until the slice of
   the one that computes is over.  A thread with a short slice gets a processor sooner when it is woken, and loses it
   sooner; its share of the processors is the same (Linux 6.12 and later; sched_setattr(2), "EEVDF").

   A master gets a short slice when it starts a region while others need the processors (payoff.c), or when more than one
   in five of its last regions have met other regions while Haskell threads computed.  It gets its usual one back after
   some regions without them, or without other masters.  Its workers follow with each region: all members of a team have
   the same slice.  Otherwise a member with a long one, which yields, would give its processor away for as long, and the
   others would wait for it.  (Barriers of eight threads on two processors took several times as long.)  */
#include "admission/queue.h"

#include "admission/admission.h"
#include "machine/thread.h"
#include "state/thread.h"
#include "threads/substrate.h"

/* A score of the last regions, without those that are brief.  Each crowded one counts CROWDED times for a short slice, each
   other one once against it.  A thread gets it from SHORT_FROM on, and its usual one again at 0.  In a web service regions
   meet now and then; with short slices its threads would only interrupt each other.  */
enum { CROWDED = 4, SHORT_FROM = 32, SCORE_MOST = 64 };

static _Atomic bool used; /* some thread has had a short slice; threads that it started inherited it */

void ghcomp_admission_slice_begin(void)
{
  if (unlikely(load_relaxed(&used)))
    ghcomp_machine_drop_short_slice();
}

void ghcomp_admission_slice_change(struct thread *self, bool is_short)
{
  uint32_t usual = self->turn.usual_slice;
  self->turn.usual_slice = is_short ? (uint32_t)ghcomp_machine_shorten_slice() : 0;
  if (self->turn.usual_slice != 0)
    store_relaxed(&used, true);
  if (!is_short && usual != 0)
    ghcomp_machine_set_slice(usual);
  store_relaxed(&self->waiter.short_slice, is_short);
}

static void crowded(struct thread *self, unsigned char score)
{
  self->turn.crowded = score < SCORE_MOST ? score : SCORE_MOST;
  if (score >= SHORT_FROM && !load_relaxed(&self->waiter.short_slice))
    ghcomp_admission_slice_change(self, true);
}

void ghcomp_admission_slice_calm(struct thread *self)
{
  self->turn.crowded -= self->turn.crowded != 0;
  if (self->turn.crowded == 0 && load_relaxed(&self->waiter.short_slice))
    ghcomp_admission_slice_change(self, false);
}

void ghcomp_admission_slice_without_turn(struct thread *self)
{
  if (ghcomp_admission_payoff_others_compute())
    crowded(self, SCORE_MOST);
  else
    ghcomp_admission_slice_calm(self);
}

void ghcomp_admission_slice_after_arrival(struct thread *self, bool finds_others)
{
  if (finds_others && ghcomp_substrate_host_busy() != 0)
    crowded(self, self->turn.crowded + CROWDED);
  else
    ghcomp_admission_slice_calm(self);
}
