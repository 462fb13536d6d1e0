/* Waiting for a turn, and beginning without one: no wait is for ever.  Only admission.c calls
   these.  */
#ifndef GHCOMP_ADMISSION_ADMISSION_WAIT_H
#define GHCOMP_ADMISSION_ADMISSION_WAIT_H

#include "base/atomics.h"

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The calling thread is in the queue, behind `ahead` others.  Returns how many threads it has
   when its turn has come.  */
unsigned ghcomp_admission_wait(struct thread *self, unsigned ahead);

/* A region has ended: the first in the queue does not wait in vain.
   Requires: the queue's lock.  */
void ghcomp_admission_wait_note_end(void);

#endif
