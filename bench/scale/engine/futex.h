/* The futex and time, for the engine's own parts.  */
#ifndef SCALE_FUTEX_H
#define SCALE_FUTEX_H
#include "engine.h"

#include <time.h>

#define BEFORE_START NS(1e12) /* what clocks show at virtual time 0 */

/* 0, EAGAIN or ETIMEDOUT.  */
int scale_futex_wait(volatile uint32_t *word, uint32_t value, ps until, uintptr_t place);
long scale_futex_wake(volatile uint32_t *word, long most, uintptr_t place);

/* Sets the bits of all processors; returns how many bytes it wrote.  */
long processors_to(void *set, size_t size);

static inline ps since(const struct timespec *t) { return (ps)t->tv_sec * NS(1e9) + (ps)t->tv_nsec * 1000; }
#endif
