/* Which regions of the outermost level compute at one time.  Each region takes processors; one that
   finds none waits for its turn, in order of arrival.  See admission.md.

   No wait lasts for ever, because a region may wait, inside, for another region: a region that has
   waited for long begins without a turn.  */
#ifndef GHCOMP_ADMISSION_ADMISSION_H
#define GHCOMP_ADMISSION_ADMISSION_H

#include "base/atomics.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* How many threads the region has, and how many of them ghcomp_admission_leave gives back; 0: the
   region was not counted.  */
struct admitted {
  unsigned threads, counted;
  bool needs_all; /* for the fork: the pool grows, if it has fewer */
};

/* If only one native thread starts regions, admission costs a load of this line, which is only
   read.  */
extern _Atomic unsigned ghcomp_admission_masters;

static inline bool ghcomp_admission_has_others(void)
{
  return load_relaxed(&ghcomp_admission_masters) > 1;
}

/* A native thread of the program has met the runtime (+1), or is about to end (-1).  */
void ghcomp_admission_count_masters(int more);

/* The calling thread begins a region of the outermost level that wants so many threads; 1: it takes the
   only processor.
   `exact`: it needs all of them.  `answered`: it may belong to the answer to the thread's last question.
   May wait for its turn.  */
struct admitted ghcomp_admission_enter(struct thread *self, unsigned wanted, bool exact, bool answered);

/* A thread that is not in a region asks how many threads its next region would have, and is told
   `threads`, at least 2.  A library that asks often holds a lock around its region, and its other
   callers spin for that lock.  So the thread takes its turn here, and the region that follows soon
   has it.  `caller`: the place that asks.  May wait for its turn.  */
void ghcomp_admission_ask(struct thread *self, unsigned threads, const void *caller);

/* Of the threads that ghcomp_admission_enter counted, at most `threads` compute from now on.
   Returns how many ghcomp_admission_leave gives back.  */
unsigned ghcomp_admission_reduce(unsigned counted, unsigned threads);

/* True: masters compute for a good part of the time between their regions, which therefore take no turns.  */
bool ghcomp_admission_masters_compute(void);

/* A region that the calling thread forked is over.  Returns whether its turn is for another thread
   now.  Then the master returns its workers.  */
bool ghcomp_admission_passes_turn(struct thread *self);

/* How many masters have a turn and do not run yet.  One of them may be waiting for the processor of
   an idle worker.  */
extern _Atomic unsigned ghcomp_admission_starting;

/* Cycles: until then the thread that began last to keep a turn, before or after its region, may keep
   it; 0: it no longer does.  A hint: if several threads keep turns, the first thread in the queue
   looks after the others.  */
extern _Atomic uint64_t ghcomp_admission_kept_until;

/* An idle worker makes sure that no thread keeps a turn for too long while others wait.  Returns for
   how many nanoseconds the worker sleeps at most; 0: until it is woken.  */
uint64_t ghcomp_admission_guard_slowly(void);

static inline uint64_t ghcomp_admission_guard(void)
{
  return load_relaxed(&ghcomp_admission_kept_until) != 0 ? ghcomp_admission_guard_slowly() : 0;
}

/* The region has ended, and its workers are idle.  */
void ghcomp_admission_leave(struct thread *self, unsigned counted);

/* The calling thread ends, perhaps in the middle of a region that it forked.  */
void ghcomp_admission_abandon(struct thread *self);

/* In a forked child, which has only the calling thread.  */
void ghcomp_admission_after_fork(void);

/* slice.c.  The calling thread has such time slices from now on: enum slice.  Async-signal-safe.  */
void ghcomp_admission_slice_change(struct thread *self, unsigned char slice);

/* The runtime meets the calling thread, or has started it.  */
void ghcomp_admission_slice_begin(void);

#endif
