/* What the regions that run have taken, and the threads whose regions wait, in order of arrival,
   under one lock.  Only this folder calls these; turn_wait.c says how a thread waits.  */
#ifndef GHCOMP_ADMISSION_QUEUE_H
#define GHCOMP_ADMISSION_QUEUE_H

#include "base/atomics.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The `turn` of a thread that is in the queue.  */
enum { WAITING = 0 };

void ghcomp_admission_queue_lock(void);
void ghcomp_admission_queue_unlock(void);

/* ----------------------------------------------- these take the lock, or read a hint */

/* Processors that a region would get now; 1 at least.  Without the lock, a hint.  */
unsigned ghcomp_admission_queue_room(void);

/* Who is in front, or NULL.  Without the lock, a hint.  */
struct thread *ghcomp_admission_queue_first(void);

/* Those in front begin for whom there is room.  */
void ghcomp_admission_queue_let_in(void);

/* A region that runs has so many threads fewer than it took.  */
void ghcomp_admission_queue_reduce(unsigned threads);

/* In a forked child: nobody waits, and nothing is taken.  */
void ghcomp_admission_queue_after_fork(void);

/* -------------------------------------------------------------- these require the lock */

unsigned ghcomp_admission_queue_length(void);

/* By all regions together.  */
unsigned ghcomp_admission_queue_taken(void);

/* Threads for a region that wants so many, if nobody waits and there is room; 0: `self` is the
   last in the queue now.  `asks`: it waits in a question.  */
unsigned ghcomp_admission_queue_arrive(struct thread *self, unsigned wanted, bool exact, bool asks);

/* Where Haskell threads compute, the processors' time is given out in slices anyway: then a region
   that may be small begins with one thread rather than wait, as long as these are few.
   Returns whether it has.  */
bool ghcomp_admission_queue_begin_alone(struct thread *self);

/* A region has so many threads, whether there is room or not, and gives them back.  */
void ghcomp_admission_queue_take(struct thread *master, unsigned threads);
void ghcomp_admission_queue_put_back(struct thread *master, unsigned threads);

/* Regions begin at once, though there is no room: because those that run are blocked, each time
   more than the last time; or one, because none has ended for long.  Somebody waits.  */
void ghcomp_admission_queue_open_past_blocked(void);
void ghcomp_admission_queue_open_past_slow(void);
bool ghcomp_admission_queue_is_open(void);

/* ----------------------------------------------- turns that outlast a region */

/* Turns that are kept while no region runs.

   Who asks how many threads there would be is told a number, and keeps the turn until its region
   begins, and a moment longer than that lasts: a library has a lock to release then.  A thread
   that keeps its turn for too long loses it to those that wait.  Only this folder calls these.  */

struct thread;

/* Who was told is late when it has computed for so long without a region, or is blocked, or after
   PROMISE_LONGEST; who leaves keeps its turn for LEAVING.  */
#define PROMISE_NS 200000u
#define PROMISE_BLOCKED_NS 2000000u
#define PROMISE_LONGEST_NS 20000000u
#define LEAVING_NS 20000u

/* Cycles: until then somebody keeps its turn whose region is over; 0: nobody does.  */
extern _Atomic uint64_t ghcomp_admission_promise_leaving_until;

/* The calling thread, which has taken so many threads, was told so, and its region follows.  */
void ghcomp_admission_promise_keep(struct thread *self, unsigned threads);

/* Its region begins with so many threads.  */
void ghcomp_admission_promise_use(struct thread *self, unsigned threads);

/* No region came of it.  */
void ghcomp_admission_promise_in_vain(struct thread *self);

/* In a forked child: nobody keeps a turn.  */
void ghcomp_admission_promise_after_fork(void);

/* ------------------------------------------------- these require the queue's lock */

/* Its region is over, and it keeps the turn for a moment.  */
void ghcomp_admission_promise_stay(struct thread *self, unsigned threads);

/* It asks or begins again, and keeps no turn.  Returns whether it kept one until now.  */
bool ghcomp_admission_promise_end(struct thread *self);

/* Those that are late lose their turns.  Returns whether there was one.  */
bool ghcomp_admission_promise_revoke_late(uint64_t now);

/* More run than there is room for, not counting who leaves.  */
bool ghcomp_admission_promise_is_crowded(void);

/* ------------------------------------------------------------------- waiting */

/* Waiting for a turn, and beginning without one: no wait is for ever.  Only admission.c calls
   these.  */

struct thread;

/* The calling thread is in the queue, behind `ahead` others.  Returns how many threads it has
   when its turn has come.  */
unsigned ghcomp_admission_wait(struct thread *self, unsigned ahead);

/* A region has ended: the first in the queue does not wait in vain.
   Requires: the queue's lock.  */
void ghcomp_admission_wait_note_end(void);

/* Whether a worker, or a master whose region is counted, computes or waits for a processor, or is
   about to.
   Requires: the queue's lock.  */
bool ghcomp_admission_somebody_computes(void);

/* Nanoseconds for which the first in the queue waits while no region ends, unless it waits in a question.
   Requires: the queue's lock.  */
unsigned ghcomp_admission_longest_of_region(void);

/* Cycles.  A function of its own, because it stands still in a test.  */
uint64_t ghcomp_admission_now(void);

#endif
