/* Loops as these compilers describe them: both bounds belong to the loop, and have its own type.  Here they
   are 64 bits wide, extended by the type's sign, and are made narrow again by whoever stores them.  */
#ifndef GHCOMP_ABI_KMP_LOOP_BOUNDS_H
#define GHCOMP_ABI_KMP_LOOP_BOUNDS_H

#include "abi/kmp/kmp.h"
#include "work/static.h"

#include <limits.h>

/* The four types of a loop's variable, by the suffix of the entry points: X(suffix, type, its signed form,
   its largest and smallest value).  Chunks and steps have the signed form.  */
#define KMP_LOOP_TYPES(X)                           \
  X(4, int32_t, int32_t, INT32_MAX, INT32_MIN)      \
  X(4u, uint32_t, int32_t, UINT32_MAX, 0)           \
  X(8, int64_t, int64_t, INT64_MAX, INT64_MIN)      \
  X(8u, uint64_t, int64_t, UINT64_MAX, 0)

/* How many iterations: lower <= upper if the step is positive, else the reverse; 0 for a loop of all 2^64
   values.  */
static inline uint64_t kmp_loop_count(uint64_t lower, uint64_t upper, int64_t step)
{
  if (step == 1)
    return upper - lower + 1;
  if (step == -1)
    return lower - upper + 1;
  if (step > 0)
    return (upper - lower) / (uint64_t)step + 1;
  return (lower - upper) / (0 - (uint64_t)step) + 1;
}

/* No chunk, or a senseless one, counts as 1.  */
static inline uint64_t kmp_loop_chunk(int64_t chunk)
{
  return chunk > 0 ? (uint64_t)chunk : 1;
}

#endif
