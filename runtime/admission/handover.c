/* Where the next master wakes when a master leaves.

   It should be the processor of the one that leaves: that one soon sleeps, and the workers keep spinning on theirs.  The
   system often wakes a thread on the processor on which it was last.  If a worker spins there, the two share that
   processor, while the other one has nothing to do.  So the next master is kept off the processors of the workers until it
   runs.  It was last on the right one from then on, so this is seldom necessary.  */
#include "admission/queue.h"

#include "machine/processors.h"
#include "state/thread.h"

/* If fewer threads wait, the one that leaves may be the next but one.  On the same processor as the next it would not get to
   the queue, which would be empty then, and regions would begin by time slices.  */
enum { WAITING_LEAST = 2 };

void ghcomp_admission_handover_prepare(struct thread *next, uint64_t workers, unsigned waiting)
{
  int last = load_relaxed(&next->waiter.processor);
  bool beside_worker = last >= 0 && last < 64 && (workers >> last & 1) != 0;
  if (likely(!beside_worker) || waiting < WAITING_LEAST || next->place_bound != 0)
    return;
  if (ghcomp_machine_keep_off(load_relaxed(&next->kernel_thread), last))
    next->turn.kept_off = (short)(last + 1);
}

void ghcomp_admission_handover_end(struct thread *self)
{
  if (likely(self->turn.kept_off == 0))
    return;
  ghcomp_machine_let_on(self->turn.kept_off - 1);
  self->turn.kept_off = 0;
  store_relaxed(&self->waiter.processor, ghcomp_machine_here());
}
