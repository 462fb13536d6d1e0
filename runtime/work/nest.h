/* A nest of loops that are executed as one, where bounds of an inner loop may depend on an outer one's variable.
   Spec: 5.2, 4.4.  */
#ifndef GHCOMP_WORK_NEST_H
#define GHCOMP_WORK_NEST_H

#include <stdbool.h>
#include <stdint.h>

/* The first and the last value are start + start_slope * the outer loop's and last + last_slope * it, wrapped to the
   type.  Both belong to the loop.  */
struct nest_loop {
  int64_t start, start_slope, last, last_slope;
  int64_t step;
  unsigned outer; /* which loop; any where the slopes are 0 */
  unsigned bits;  /* of the type: 32, 64 */
  bool is_signed;
};

/* How often the loop is executed when the outer ones have these values.  Values are sign-extended, or
   zero-extended.  */
uint64_t ghcomp_nest_count(const struct nest_loop *loop, const int64_t *values);

/* The part of `number` among `parts`, in the order of execution: its first and last iteration.  False: it has none.
   *last: nobody has a later one.  The parts are even if the nest is a block; else they are even parts
   of the smallest block around it, so some have more than others.  */
bool ghcomp_nest_part(const struct nest_loop *loops, unsigned depth, unsigned parts, unsigned number, int64_t *first,
                      int64_t *end, bool *last);

enum { NEST_DEEPEST = 64 };

#endif
