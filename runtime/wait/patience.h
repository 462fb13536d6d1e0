/* Whether a thread that has spun for as long as usual spins on.

   To wake a thread takes some tens of microseconds, on a virtual machine as long as many regions.  So it pays to spin for up to
   PATIENCE_LONGEST_NS where that was long enough lately.  A thread learns that it pays when it has slept and has been woken soon enough.
   It asks again each 50 or 60 µs whether another program wants this processor: a yield then takes long.  If so, it
   sleeps, and does so at once in some of its next waits.  An interruption between two questions, by the system or a hypervisor, ends nothing.

   Its users say which waits pay: team/stay_awake.c, between regions; team/stay_in_team.c and work/slot_wait.h, inside of them.

   Cost: a wait that is shorter than PATIENCE_LONGEST_NS takes as much processor time as it lasts, where it was asleep before.  Of longer
   waits two in a row take PATIENCE_LONGEST_NS each, and the next ones nothing.  None where a CPU quota is in force,
   because spinning would count; in a Haskell program, whose garbage collector needs the processors; where threads outnumber processors;
   and where a wait policy is set, which says how long to spin.  */
#ifndef GHCOMP_WAIT_PATIENCE_H
#define GHCOMP_WAIT_PATIENCE_H

#include "base/atomics.h"
#include "wait/waiter.h"

#include <stdbool.h>
#include <stdint.h>

#define PATIENCE_LONGEST_NS 2000000u

/* Only the thread itself reads and writes it.  */
struct patience {
  uint64_t since;              /* nanoseconds: in this wait, when the usual spinning was spent; 0: it is not yet */
  unsigned char left;          /* not 0: it pays; so many waits in a row must be too long before it does not */
  unsigned char waits_without; /* so many of the next waits teach nothing: others needed the processor */
  unsigned char long_yields, short_yields; /* that others needed it, lately; in a row, that nobody did */
};

bool ghcomp_patience_is_allowed(void);

/* The thread has spun on for as long as it may.  */
static inline bool ghcomp_patience_is_over(const struct patience *patience, uint64_t now)
{
  return now - patience->since > PATIENCE_LONGEST_NS;
}

/* Yields.  True: another program wants this processor.  */
bool ghcomp_patience_is_asked_for_processor(struct patience *patience, struct waiter *self);

/* The wait is over.  `pays`: it was short enough.  Requires: `since` is not 0.  */
void ghcomp_patience_learn(struct patience *patience, bool pays);

/* ------------------------------------------------------- waits inside a region */

/* These waits pay if they are shorter than PATIENCE_LONGEST_NS.  */

bool ghcomp_patience_goes_on_slowly(struct patience *patience, struct waiter *self);
void ghcomp_patience_learn_from_length(struct patience *patience);

/* It may be worth a look whether the thread spins on.  */
static inline bool ghcomp_patience_may_go_on(const struct patience *patience, const struct waiter *self)
{
  return patience->left != 0 && !self->shares_processor;
}

/* Called when the thread has spun for as long as usual.  True: it spins as long again.  */
static inline bool ghcomp_patience_goes_on(struct patience *patience, struct waiter *self)
{
  return ghcomp_patience_may_go_on(patience, self) && ghcomp_patience_goes_on_slowly(patience, self);
}

/* Called before the thread sleeps.  */
void ghcomp_patience_before_sleep(struct patience *patience);

/* Called when the wait is over.  */
static inline void ghcomp_patience_end(struct patience *patience)
{
  if (unlikely(patience->since != 0))
    ghcomp_patience_learn_from_length(patience);
}

#endif
