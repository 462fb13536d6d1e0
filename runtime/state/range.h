/* A range of numbers.  Its owner takes them from the front, and other threads from the back.
   Dispensers with own parts use it.

   The whole range is one word, so every change is one compare-and-swap, and each number is handed
   out once.  There is no ABA problem: a range has the same two bounds again only if the same
   numbers are still to be handed out.  Relaxed order is enough, because a number says nothing about
   other memory.  Work is published, and its results collected, by other means.

   Numbers are below 2^32.  */
#ifndef GHCOMP_STATE_RANGE_H
#define GHCOMP_STATE_RANGE_H

#include "base/atomics.h"

#include <stdint.h>

struct range {
  _Atomic uint64_t bounds; /* first << 32 | end */
};

/* Called by: the owner.
   Requires: the range is empty, or no other thread can see it.  */
static inline void ghcomp_range_set(struct range *range, uint32_t first, uint32_t end)
{
  store_relaxed(&range->bounds, (uint64_t)first << 32 | end);
}

/* Takes numbers from the front: the range's length divided by `divisor`, but at least `least` and
   at most `most`, and no more than are left.  Returns how many, from *first on; 0: the range is
   empty.  */
static inline uint32_t ghcomp_range_take(struct range *range, uint32_t least, uint32_t most,
                                         uint32_t divisor, uint32_t *first)
{
  uint64_t bounds = load_relaxed(&range->bounds);
  for (;;) {
    uint32_t from = (uint32_t)(bounds >> 32), end = (uint32_t)bounds;
    if (from >= end)
      return 0;
    uint32_t left = end - from, taken = left / divisor;
    taken = taken < least ? least : taken > most ? most : taken;
    if (taken > left)
      taken = left;
    if (cas_relaxed(&range->bounds, &bounds, (uint64_t)(from + taken) << 32 | end)) {
      *first = from;
      return taken;
    }
  }
}

/* Takes the back half, rounded up.  Returns the same as ghcomp_range_take.  */
static inline uint32_t ghcomp_range_steal(struct range *range, uint32_t *first)
{
  uint64_t bounds = load_relaxed(&range->bounds);
  for (;;) {
    uint32_t from = (uint32_t)(bounds >> 32), end = (uint32_t)bounds;
    if (from >= end)
      return 0;
    uint32_t taken = end - from - (end - from) / 2;
    if (cas_relaxed(&range->bounds, &bounds, (uint64_t)from << 32 | (end - taken))) {
      *first = end - taken;
      return taken;
    }
  }
}

#endif
