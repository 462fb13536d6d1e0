/* Which regions of the outermost level compute at one time.

   Each native thread, and each Haskell thread, may start regions of its own.  Were all of them
   to start at once, their threads would share the processors by the system's time slices, and
   each would wait for members that are not running.  So such a region takes processors, and
   one that finds none waits for its turn, in order of arrival.  See admission.md.

   A region may wait inside for another region.  So no wait is for ever: a region that has
   waited for long begins without a turn, and where that helped, the next ones do not wait.  */
#ifndef GHCOMP_ADMISSION_ADMISSION_H
#define GHCOMP_ADMISSION_ADMISSION_H

#include "base/atomics.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* How many threads the region has, and how many of them leave has to give back; 0: it was
   not counted.  */
struct admitted {
  unsigned threads, counted;
  bool promised; /* for who forks the team */
};

/* Cost where one native thread alone starts regions: a load of a line that is read only.  */
extern _Atomic unsigned ghcomp_admission_masters;

static inline bool ghcomp_admission_has_others(void)
{
  return load_relaxed(&ghcomp_admission_masters) > 1;
}

/* A native thread, not ours, has met the runtime (+1), or is about to end (-1).  */
void ghcomp_admission_count_masters(int more);

/* The calling thread begins a region of the outermost level that wants so many threads, 2 at
   least.  `exact`: no fewer will do.  Waits, a few milliseconds at most.  */
struct admitted ghcomp_admission_enter(struct thread *self, unsigned wanted, bool exact);

/* A thread that is not in a region asks how many threads its next region would have, and is told
   `threads`, 2 at least.  Libraries that ask so often hold a lock of their own around the
   region, for which their other callers spin; so the turn is taken here, and the region that
   follows within a millisecond has it.  Waits as long as enter does.  */
void ghcomp_admission_ask(struct thread *self, unsigned threads);

/* At most so many compute from now on, of those that enter counted.  Returns what leave has to
   give back.  */
unsigned ghcomp_admission_reduce(unsigned counted, unsigned threads);

/* Others wait for their turn.  A master that leaves gives its workers to them.  */
bool ghcomp_admission_is_awaited(void);

/* Turns that have come to masters which do not run yet: one of them may be behind an idle
   worker on its processor.  */
extern _Atomic unsigned ghcomp_admission_starting;

/* The region is over, and its workers are idle.  */
void ghcomp_admission_leave(struct thread *self, unsigned counted);

/* The calling thread ends, perhaps in the middle of a region that it has begun.  */
void ghcomp_admission_abandon(struct thread *self);

/* In a forked child, which has the calling thread only.  */
void ghcomp_admission_after_fork(void);

#endif
