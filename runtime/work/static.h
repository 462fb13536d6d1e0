/* Static schedules: which iterations of 0…count-1 are a member's, or a team's of a league.  Arithmetic only:
   no other member is asked, and no slot is taken.  Spec: 5.2, 11.5.3.  */
#ifndef GHCOMP_WORK_STATIC_H
#define GHCOMP_WORK_STATIC_H

#include <stdbool.h>
#include <stdint.h>

/* count 0: none.  With chunks, the first of the part's, which come every `stride` iterations; where there is
   one only, the next would be at `count`.  */
struct part {
  uint64_t first, count, stride;
  bool has_last; /* it has the loop's last iteration */
};

/* Even parts, of which the first are one longer when the division has a rest.  */
static inline struct part ghcomp_static_even(uint64_t count, unsigned parts, unsigned number)
{
  uint64_t each = count / parts, rest = count % parts;
  struct part part = {.count = each + (number < rest), .stride = count};
  part.first = each * number + (number < rest ? number : rest);
  part.has_last = part.count != 0 && part.first + part.count == count;
  return part;
}

/* Chunks of `chunk` iterations, not 0, dealt out to one part after the other; fewer in the loop's
   last.  */
static inline struct part ghcomp_static_dealt(uint64_t count, uint64_t chunk, unsigned parts, unsigned number)
{
  struct part part = {0};
  if (count == 0)
    return part;
  uint64_t chunks = (count - 1) / chunk + 1;
  if (number >= chunks)
    return part;
  part.first = chunk * number;
  part.count = count - part.first < chunk ? count - part.first : chunk;
  part.stride = chunks > parts ? chunk * parts : count - part.first;
  part.has_last = (chunks - 1) % parts == number;
  return part;
}

/* Equal parts, rounded up to whole chunks; the last ones have less, or nothing.  */
static inline struct part ghcomp_static_rounded(uint64_t count, uint64_t chunk, unsigned parts, unsigned number)
{
  uint64_t each = count / parts + (count % parts != 0);
  uint64_t rest = each % chunk;
  if (rest != 0 && __builtin_add_overflow(each, chunk - rest, &each))
    each = count;
  return ghcomp_static_dealt(count, each != 0 ? each : 1, parts, number);
}

#endif
