/* The ordered construct and doacross loops.  Spec: 5.2, 15.10.  */
#ifndef GHCOMP_WORK_ORDERED_H
#define GHCOMP_WORK_ORDERED_H

#include "work/types.h"

struct member;

/* Waits until all iterations before the member's current chunk have passed.  */
void ghcomp_ordered_enter(struct member *member);

/* The ordered construct ends: with one iteration in the chunk, the next
   member's turn comes at once.  */
void ghcomp_ordered_leave(struct member *member);

/* The member is through with its chunk: its successor's turn.  */
void ghcomp_ordered_pass(struct member *member);

/* The counters of a doacross loop with `counts[dimensions]` iterations, of which the
   outermost are those of the loop.  */
struct doacross *ghcomp_ordered_make_doacross(const struct loop *loop, unsigned threads,
                                              unsigned dimensions, const uint64_t *counts);

/* Iteration vector `at` is done / wait until it is.  */
void ghcomp_ordered_post(struct member *member, const uint64_t *at);
void ghcomp_ordered_wait(struct member *member, const uint64_t *at);

/* Number of dimensions of the member's current doacross loop.  */
unsigned ghcomp_ordered_dimensions(const struct member *member);

#endif
