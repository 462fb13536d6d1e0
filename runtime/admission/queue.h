/* Who has a library's turn, and who waits for it, under one lock.  Only this folder uses this file.

   Invariants, which the lock guards:
   * `library->holder` is the thread whose `turn.of` is the library and whose state is TURN_HELD or TURN_RUNS; or NULL.
   * A thread is in the queue of `turn.of` while its state is TURN_WAITS.  Whoever takes it out gives it the turn, or lets it
     decide again.
   * If nobody has the turn, nobody waits.  */
#ifndef GHCOMP_ADMISSION_QUEUE_H
#define GHCOMP_ADMISSION_QUEUE_H

#include "admission/constants.h"
#include "admission/library.h"

void ghcomp_turns_lock(void);

/* Releases it, then wakes a thread; NULL: none.  */
void ghcomp_turns_unlock(struct thread *wakes);

/* ------------------------------------------------------ these require the lock */

/* The thread has the turn, and no longer the one that had it.  */
void ghcomp_turns_give(struct thread *thread, struct library *library);

/* The thread, which has the turn, asks again and keeps it.  */
void ghcomp_turns_renew(struct thread *holder);

/* The thread no longer has the turn.  Returns the thread that has it now, which the caller wakes; or NULL.  */
struct thread *ghcomp_turns_pass(struct thread *holder);

/* `self` waits from now on.  Returns how many are ahead of it.  */
unsigned ghcomp_turns_append(struct thread *self, struct library *library);
unsigned ghcomp_turns_ahead(const struct thread *self); /* the same later */

/* The first in the queue takes the turn from its holder.  */
void ghcomp_turns_seize(struct thread *first);

/* Nobody has the turn, and all that wait decide again.  */
void ghcomp_turns_open(struct library *library);

/* ------------------------------------------------------------------- waiting */

/* The calling thread waits for the library's turn.  Returns when it has the turn, or decides again.  `soon`: it looks at once,
   because the holder is about to leave.  */
void ghcomp_turns_wait(struct thread *self, struct library *library, unsigned ahead, bool soon);

/* The time in cycles.  A function of its own, because tests replace it.  */
uint64_t ghcomp_turns_now(void);

#endif
