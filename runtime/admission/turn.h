/* Turns of questions: a thread that asks how large its next region will be may wait, so that it does not spin for a library's
   lock.  See turns.md.  This is what the storeys above call.

   No region waits.  A question waits only where threads outnumber processors, and have been seen to spin between a question
   and its region while another region of the same library ran; only for calls of that library; and no longer than the page says.  */
#ifndef GHCOMP_ADMISSION_TURN_H
#define GHCOMP_ADMISSION_TURN_H

#include "base/atomics.h"
#include "base/memory.h"

#include <stdbool.h>

struct thread;

/* Native threads that have met the runtime.  If there is one, turns cost a load of this line, which is only read.  */
extern _Atomic unsigned ghcomp_turn_masters;

static inline bool ghcomp_turn_has_others(void)
{
  return load_relaxed(&ghcomp_turn_masters) > 1;
}

/* A native thread of the program has met the runtime (+1), or is about to end (-1).  */
void ghcomp_turn_count_masters(int more);

/* The calling thread, which is in no region, asks how many threads its next region would have: so many.  `caller`: the place in
   the program.  May wait.
   Cost: with one master a load; else some instructions; in a library that takes turns a lock.  */
void ghcomp_turn_ask(struct thread *self, const void *caller, unsigned threads);

/* A region of the call that followed the thread's last question begins, and ends.  `body`: the function that its threads run.
   Begin returns whether the end has to be told.
   Cost: an addition to a line of the library; with a turn, a lock at either end.  */
bool ghcomp_turn_begin(struct thread *self, const void *body);
void ghcomp_turn_end(struct thread *self);

/* The calling thread ends, perhaps in the middle of such a region.  */
void ghcomp_turn_abandon(struct thread *self);

/* In a forked child, which has only the calling thread.  */
void ghcomp_turn_after_fork(void);

#endif
