/* Turns that are kept while no region runs.

   Who asks how many threads there would be is told a number, and keeps the turn until its region
   begins, and a moment longer than that lasts: a library has a lock to release then.  A thread
   that keeps its turn for too long loses it to those that wait.  Only admission*.c calls these.  */
#ifndef GHCOMP_ADMISSION_ADMISSION_TOLD_H
#define GHCOMP_ADMISSION_ADMISSION_TOLD_H

#include "base/atomics.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Cycles: until then somebody keeps its turn whose region is over; 0: nobody does.  */
extern _Atomic uint64_t ghcomp_admission_told_leaving_until;

/* The calling thread, which has taken so many threads, was told so, and its region follows.  */
void ghcomp_admission_told_keep(struct thread *self, unsigned threads);

/* Its region begins with so many threads.  */
void ghcomp_admission_told_use(struct thread *self, unsigned threads);

/* No region came of it.  */
void ghcomp_admission_told_in_vain(struct thread *self);

/* In a forked child: nobody keeps a turn.  */
void ghcomp_admission_told_after_fork(void);

/* ------------------------------------------------- these require the queue's lock */

/* Its region is over, and it keeps the turn for a moment.  */
void ghcomp_admission_told_stay(struct thread *self, unsigned threads);

/* It asks or begins again, and keeps no turn.  Returns whether it kept one until now.  */
bool ghcomp_admission_told_end(struct thread *self);

/* Those that are late lose their turns.  Returns whether there was one.  */
bool ghcomp_admission_told_revoke_late(uint64_t now);

/* More run than there is room for, not counting who leaves.  */
bool ghcomp_admission_told_is_crowded(void);

#endif
