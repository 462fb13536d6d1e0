/* The processors that running regions have taken, and the threads whose regions wait, in order of
   arrival, under one lock.  Only this folder calls these functions.  */
#ifndef GHCOMP_ADMISSION_QUEUE_H
#define GHCOMP_ADMISSION_QUEUE_H

#include "base/atomics.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* `turn.threads` of a thread that is in the queue.  */
enum { WAITING = 0 };

void ghcomp_admission_queue_lock(void);
void ghcomp_admission_queue_unlock(void);

/* ----------------------------------------------- these take the lock, or read a hint */

/* How many processors a region would get now; at least 1.  Without the lock it is a hint.  */
unsigned ghcomp_admission_queue_available(void);

/* The first thread in the queue, or NULL.  Without the lock it is a hint.  */
struct thread *ghcomp_admission_queue_first(void);

/* Lets the first regions in the queue begin, as far as there is room.  */
void ghcomp_admission_queue_let_in(void);

/* The same, called by a thread that leaves.  Bits: workers that were its own spin on these processors.  */
void ghcomp_admission_queue_let_in_beside(uint64_t workers);

/* A running region has so many threads fewer than it took.  */
void ghcomp_admission_queue_reduce(unsigned threads);

/* In a forked child: nobody waits, and nothing is taken.  */
void ghcomp_admission_queue_after_fork(void);

/* -------------------------------------------------------------- these require the lock */

unsigned ghcomp_admission_queue_length(void);

/* Threads of all running regions together.  */
unsigned ghcomp_admission_queue_taken(void);

/* True: a region runs that is counted.  */
bool ghcomp_admission_queue_is_used(void);

/* Threads for a region that wants so many, if no thread waits and there is room; 0: `self` is now
   the last in the queue.  `in_question`: it waits in a question.  */
unsigned ghcomp_admission_queue_arrive(struct thread *self, unsigned wanted, bool exact, bool in_question);

/* If Haskell threads compute, the processors' time is divided into slices in any case.  Then a
   region that may be small begins with one thread and does not wait, as long as there are few such
   regions.  Returns whether it begins.  */
bool ghcomp_admission_queue_begin_beside_haskell(struct thread *self);

/* A region takes so many threads, whether there is room or not; and gives them back.  */
void ghcomp_admission_queue_take(struct thread *master, unsigned threads);
void ghcomp_admission_queue_put_back(struct thread *master, unsigned threads);

/* Let regions begin although there is no room: several, because the running regions are blocked,
   and each time more than the last time; or one, because no region has ended for long.
   Requires: a thread waits.  */
void ghcomp_admission_queue_open_past_blocked(void);
void ghcomp_admission_queue_open_past_slow(void);
bool ghcomp_admission_queue_is_open(void);

/* ------------------------------------------------------------------ from one master to the next */

/* The thread, which waits in the queue before `waiting` others, is about to get its turn.  It shall not wake on these processors.
   Requires: the queue's lock.  */
void ghcomp_admission_handover_prepare(struct thread *next, uint64_t workers, unsigned waiting);

/* The calling thread has its turn.  */
void ghcomp_admission_handover_end(struct thread *self);

/* ----------------------------------------------- turns that outlast a region */

/* Turns that are kept while no region runs.

   A thread that asks how many threads there would be is told a number.  It keeps its turn until its
   region begins, and for a moment after the region, because a library must release its lock then.
   A thread that keeps its turn for too long loses it to those that wait.  Only this folder calls
   these functions.  */

struct thread;

/* A thread that was told a number is late when it has computed for PROMISE_NS without a region (the first time
   PROMISE_FIRST_NS, because a library prepares its memory then), when it has been blocked for PROMISE_BLOCKED_NS, or
   after PROMISE_LONGEST_NS.  A thread that leaves keeps its turn for LEAVING_NS.  */
#define PROMISE_NS 200000u
#define PROMISE_FIRST_NS 2000000u
#define PROMISE_BLOCKED_NS 2000000u
#define PROMISE_LONGEST_NS 20000000u
#define LEAVING_NS 20000u

/* Cycles: until then a thread keeps its turn after its region; 0: none does.  */
extern _Atomic uint64_t ghcomp_admission_promise_leaving_until;

/* The calling thread has taken so many threads and is told the number; its region follows.  */
void ghcomp_admission_promise_keep(struct thread *self, unsigned threads);

/* The thread's region begins with so many threads.  */
void ghcomp_admission_promise_use(struct thread *self, unsigned threads);

/* The same for another region of the same answer.  */
void ghcomp_admission_promise_reuse(struct thread *self, unsigned threads);

/* The thread keeps its turn after a region, and asks again.  If it is told the same number, it goes
   on with that turn.  Returns whether it does.  */
bool ghcomp_admission_promise_renew(struct thread *self, unsigned threads);

/* The thread keeps its turn after a region, and its next region begins, which has followed no question.  Returns
   for how many threads; 0: it has lost the turn, or wants another number.  */
unsigned ghcomp_admission_promise_go_on(struct thread *self, unsigned wanted, bool exact);

/* The calling thread asks, and is the only master.  */
void ghcomp_admission_promise_ask_alone(struct thread *self);

/* No region has followed the question.  */
void ghcomp_admission_promise_unused(struct thread *self);

/* In a forked child: no thread keeps a turn.  */
void ghcomp_admission_promise_after_fork(void);

/* Like ghcomp_admission_promise_revoke_late, but takes the lock.  */
bool ghcomp_admission_promise_end_late(uint64_t now);

/* ------------------------------------------------- these require the queue's lock */

/* The thread's region is over, and it keeps its turn for so many nanoseconds.  `leaves`: it has to
   release its library's lock, and no more regions of this answer are expected.  */
void ghcomp_admission_promise_stay(struct thread *self, unsigned threads, unsigned ns, bool leaves);

/* If a thread asked while it was the only master, its region runs, or its next one follows soon, and was
   not counted.  If it is not `self`, it keeps a turn from now on, as if it had taken one.  */
void ghcomp_admission_promise_keep_for_lone(const struct thread *self);

/* The thread ends, and keeps no turn.  Returns whether it kept one.  */
bool ghcomp_admission_promise_forget(struct thread *self);

/* The thread asks or begins again, and no longer keeps a turn.  Returns whether it kept one.  */
bool ghcomp_admission_promise_end(struct thread *self);

/* Takes the turns of threads that are late with them.  Returns whether there was one.  */
bool ghcomp_admission_promise_revoke_late(uint64_t now);

/* True: more threads run than there is room for, not counting those that leave.  */
bool ghcomp_admission_promise_is_crowded(void);

/* ------------------------------------------------------- which questions take a turn */

/* A question from this place in the program: takes a turn, because regions followed its earlier
   questions.  */
bool ghcomp_admission_question_takes_turn(struct thread *self, const void *caller);

/* A region has followed the question that took the turn; or none has.  */
void ghcomp_admission_question_had_region(struct thread *self);
void ghcomp_admission_question_had_none(struct thread *self);

/* -------------------------------------------------- which regions belong to an answer */

/* The first region after a question begins.  */
void ghcomp_admission_answer_begin(struct thread *self);

/* A region of the same function begins.  Returns whether it belongs to the answer.  */
bool ghcomp_admission_answer_continue(struct thread *self);

/* A region of an answer is over, and more are expected.  */
void ghcomp_admission_answer_pause(struct thread *self);

/* A question from this place: its answer and its regions take no turns, because threads sleep between
   regions there.  */
bool ghcomp_admission_answer_takes_no_turn(struct thread *self, const void *caller);

/* True: such a region is over, and others are expected.  */
bool ghcomp_admission_answer_has_more(const struct thread *self);

/* The thread asks again.  */
void ghcomp_admission_answer_end(struct thread *self);

/* --------------------------------------------------- several regions in one turn */

/* A turn lasts no longer, if each of its regions is shorter.  */
#define SERIES_NS 2000000u

/* Cycles: until then one thread computes a series, if all goes well.  */
extern _Atomic uint64_t ghcomp_admission_series_until;

/* The thread, which has waited in the queue, has its turn from now on.
   Requires: the queue's lock.  */
void ghcomp_admission_series_expect(const struct thread *thread);

/* A turn begins with a question.  */
void ghcomp_admission_series_begin(struct thread *self);

/* A region is over.  Decides whether the thread's turn is for its next region, too.  */
bool ghcomp_admission_series_decide(struct thread *self);

/* A counted region is over.  Returns for how many nanoseconds its thread keeps its turn; 0: it does not.  */
unsigned ghcomp_admission_series_leave(struct thread *self);

/* The thread asks again.  Returns whether it goes on with its turn.  */
bool ghcomp_admission_series_continue(struct thread *self, unsigned threads);

/* For regions that follow no question.  A turn begins, for which the thread has waited behind so many others.  */
void ghcomp_admission_series_begin_short(struct thread *self, unsigned ahead);

/* Another such region begins.  Returns for how many threads it goes on with its turn; 0: it does not.  */
unsigned ghcomp_admission_series_continue_short(struct thread *self, unsigned wanted, bool exact);

/* A dynamic region begins.  If Haskell threads compute only for a moment, it passes.  */
void ghcomp_admission_moment_pass(const struct thread *self);

/* --------------------------------------------------------------- regions that block */

/* A counted region begins that may be smaller; and a counted region of so many threads ends.  Learns whether it has blocked.  */
void ghcomp_admission_blocked_begin(struct thread *self);
void ghcomp_admission_blocked_end(struct thread *self, unsigned threads);

/* True: regions often block, so none has fewer threads than it wants.  */
bool ghcomp_admission_blocked_often(void);

/* In a forked child.  */
void ghcomp_admission_blocked_forget(void);

/* -------------------------------------------------------------- whether turns pay */

/* A region begins, and `turn.looks_at_next` is set.  Learns how long its thread has computed since the last region.  */
void ghcomp_admission_payoff_look(struct thread *self);

/* A counted region begins that followed no question.  */
void ghcomp_admission_payoff_begin(struct thread *self);

/* A region that followed no question is over, of which so many threads were counted.  Learns how long such regions
   take.  */
void ghcomp_admission_payoff_learn(struct thread *self, unsigned counted);

/* True: turns do not pay for any such region.  One that is counted does not wait.  */
bool ghcomp_admission_payoff_is_none(void);

/* True: that is because turns leave processors unused.  */
bool ghcomp_admission_payoff_is_unused(void);

/* True: that is because others need the processors.  */
bool ghcomp_admission_payoff_others_compute(void);

/* Turns leave processors unused.  */
void ghcomp_admission_payoff_leaves_unused(void);

/* A region that is not brief begins.  Decides at times whether turns are tried again.  */
void ghcomp_admission_payoff_check(void);

/* ------------------------------------------- regions that share the processors with Haskell threads */

/* A region arrives for a turn.  `met_others`: regions that run.  */
void ghcomp_admission_sharing_learn(bool met_others);

/* True: regions take no turns, because Haskell threads compute.  */
bool ghcomp_admission_sharing_is_on(void);

/* In a forked child.  */
void ghcomp_admission_sharing_forget(void);

/* ------------------------------------------- which part of the processors the process uses */

/* A region is over.  `regions_wait`: for their turns.  Returns whether the process has used a small part of the processors
   while they waited.
   Requires: the queue's lock.  */
bool ghcomp_admission_share_is_small(bool regions_wait);

/* Regions run without turns from now on; and since when.  */
void ghcomp_admission_share_begin_without(uint64_t now);
uint64_t ghcomp_admission_share_began_without(void);

/* True: the process has used nearly all of the processors since then.  */
bool ghcomp_admission_share_is_nearly_all(uint64_t now);

/* In a forked child.  */
void ghcomp_admission_share_forget(void);

/* slice.c.  A region that is not brief begins.  Its thread gets the slices that fit.  */
void ghcomp_admission_slice_choose(struct thread *self);

/* A region begins, and there is no other master.  */
void ghcomp_admission_slice_calm(struct thread *self);

/* In a forked child: nothing is known.  */
void ghcomp_admission_payoff_after_fork(void);

/* ------------------------------------------------------------------- waiting */

/* Waiting for a turn, and beginning without one.  No wait lasts for ever.  Only admission.c calls
   these functions.  */

struct thread;

/* The calling thread is in the queue, behind `ahead` others.  Returns how many threads it has, when
   its turn has come.  */
unsigned ghcomp_admission_wait(struct thread *self, unsigned ahead);

/* A region has ended, so the first thread in the queue does not wait in vain.
   Requires: the queue's lock.  */
void ghcomp_admission_wait_note_end(void);

/* True: a worker, or a master whose region is counted, computes or waits for a processor, or is
   about to.
   Requires: the queue's lock.  */
bool ghcomp_admission_somebody_computes(void);

/* Nanoseconds that the first thread in the queue waits at most while no region ends, if it waits
   for a region.
   Requires: the queue's lock.  */
unsigned ghcomp_admission_longest_of_region(void);

/* The time in cycles.  It is a function of its own, because tests replace it.  */
uint64_t ghcomp_admission_now(void);

#endif
