/* The chunks of a loop in parts, one for each thread that may execute it.  A thread that has none
   left takes from the others.  Used for loops of a team (own_parts.c), whose members all come, and
   for loops with Haskell bodies (cbits/Loop.md), whose helpers may not come.

   Invariant: each chunk number is in one part (untouched parts count as full), or was drawn by a
   thread that will execute it, or was executed.  Numbers change their place by one compare-and-swap
   (state/range.h).  A part is untouched until a thread replaces that mark by the part's bounds: its
   owner, a thief, or, if parts are executed whole, the thread that claims it.  All orders are
   relaxed, because a number says nothing about other memory.  */
#ifndef GHCOMP_WORK_OWN_PARTS_H
#define GHCOMP_WORK_OWN_PARTS_H

#include "state/work.h"

#define PART_UNTOUCHED UINT64_MAX /* all bytes are 0xff, so that many can be cleared by memset
                                     (slots.c) */

/* The parts of one loop, as a thread that draws sees them.  */
struct parts {
  struct own_part *part; /* one for each thread that may execute; the first `count` have chunks */
  uint32_t first, end;   /* the chunks that are in parts */
  unsigned count;
};

/* What a draw takes from one's own part: its length divided by `divisor`, within these limits.  */
struct draw {
  uint32_t least, most, divisor;
};

/* The bounds of a part, in the form of a range.  Of n - 1 chunks for n threads, each but the last
   thread has one.  */
static inline uint64_t ghcomp_part_bounds(const struct parts *parts, unsigned number)
{
  uint64_t chunks = parts->end - parts->first;
  uint64_t up = parts->count - 1; /* rounds a quotient up */
  uint32_t first = parts->first + (uint32_t)((chunks * number + up) / parts->count);
  uint32_t end = parts->first + (uint32_t)((chunks * (number + 1) + up) / parts->count);
  return (uint64_t)first << 32 | end;
}

static inline bool ghcomp_part_is_untouched(const struct parts *parts, unsigned number)
{
  return load_relaxed(&parts->part[number].range.bounds) == PART_UNTOUCHED;
}

/* Gives an untouched part its bounds.  False: another thread was faster.  */
static inline bool ghcomp_part_begin(const struct parts *parts, unsigned number)
{
  uint64_t untouched = PART_UNTOUCHED;
  return cas_relaxed(&parts->part[number].range.bounds, &untouched, ghcomp_part_bounds(parts, number));
}

/* Makes all parts untouched.
   Requires: no other thread sees the parts.  */
static inline void ghcomp_parts_reset(const struct parts *parts)
{
  for (unsigned i = 0; i < parts->count; i++)
    store_relaxed(&parts->part[i].range.bounds, PART_UNTOUCHED);
}

/* ----------------------------------------------------------------- with thieves */

/* Moves half of the victim's chunks, begun or not, into the member's own range.  That is empty, so
   no other thread changes it.  */
static inline bool ghcomp_part_halve(const struct parts *parts, struct range *mine, unsigned victim)
{
  uint32_t from, taken;
  if (ghcomp_part_is_untouched(parts, victim))
    ghcomp_part_begin(parts, victim);
  taken = ghcomp_range_steal(&parts->part[victim].range, &from);
  if (taken != 0)
    ghcomp_range_set(mine, from, from + taken);
  return taken != 0;
}

static inline bool ghcomp_parts_steal(const struct parts *parts, unsigned me)
{
  for (unsigned i = 1; i <= parts->count; i++) {
    unsigned victim = (me + i) % parts->count;
    if (victim != me && ghcomp_part_halve(parts, &parts->part[me].range, victim))
      return true;
  }
  return false;
}

/* Draws from the thread's own part, which must be begun, or empty.  If nothing is left there, takes
   from another part first.  Returns how many chunks, from *first on; 0: there are no more.  */
static inline uint32_t ghcomp_parts_draw(const struct parts *parts, unsigned me, struct draw draw,
                                         uint32_t *first)
{
  uint32_t drawn;
  do
    drawn = ghcomp_range_take(&parts->part[me].range, draw.least, draw.most, draw.divisor, first);
  while (drawn == 0 && ghcomp_parts_steal(parts, me));
  return drawn;
}

/* ----------------------------------------------------------------- whole parts */

/* If an owner does not come, another thread claims its part and executes the whole part.  */

/* Claims a part that no thread has begun.  Returns its number; parts->count: there is none.  */
static inline unsigned ghcomp_parts_claim(const struct parts *parts)
{
  unsigned i = 0;
  while (i < parts->count && !(ghcomp_part_is_untouched(parts, i) && ghcomp_part_begin(parts, i)))
    i++;
  return i;
}

/* The number of chunks of part i, if part i of n has the chunks i, i + n, i + 2n, ….  */
static inline uint32_t ghcomp_part_dealt(const struct parts *parts, unsigned number)
{
  return (parts->end - number + parts->count - 1) / parts->count;
}

#endif
