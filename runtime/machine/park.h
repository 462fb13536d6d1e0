/* Sleep on an address and wake who sleeps there: Linux's private futex.  */
#ifndef GHCOMP_MACHINE_PARK_H
#define GHCOMP_MACHINE_PARK_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleeps while *word == expected.  May return early for any reason; the
   caller looks again.  */
void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected);

/* The same, for so long at most.  */
void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds);

/* Wakes up to `count` threads that sleep on word.  The memory may already
   have been reused: a wake-up is only ever a hint.  */
void ghcomp_park_wake(_Atomic uint32_t *word, int count);

#endif
