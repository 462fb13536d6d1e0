/* The chunks of a loop in parts, one for each of those that execute it: who has none left takes from
   the others.  A team's loop (own_parts.c) is handed out so, whose members all come; and a loop of
   Haskell (cbits/Loop.md), whose helpers come or do not.

   Invariant: each chunk number is in one part, an untouched one counted as full, or drawn by somebody who
   will execute it, or was executed.  Numbers change place by one compare-and-swap each (state/range.h).  A part is
   untouched until somebody replaces that mark by its bounds: the one whose part it is, a thief, or, where
   parts are executed whole, whoever claims it.  The order is relaxed throughout: a number says nothing of
   other memory.  */
#ifndef GHCOMP_WORK_OWN_PARTS_H
#define GHCOMP_WORK_OWN_PARTS_H

#include "state/work.h"

#define PART_UNTOUCHED UINT64_MAX /* all bytes are 0xff: who clears many of them sets memory (slots.c) */

/* As those who draw see them.  */
struct parts {
  struct own_part *part; /* of everybody who may execute; the first `count` are given chunks */
  uint32_t first, end;   /* the chunks that are in parts */
  unsigned count;
};

/* What a draw takes of one's own part: its length divided by `share`, at least and at most so many.  */
struct draw {
  uint32_t least, most, share;
};

/* What a part is given, as a range has it.  */
static inline uint64_t ghcomp_part_bounds(const struct parts *parts, unsigned number)
{
  uint64_t chunks = parts->end - parts->first;
  uint32_t first = parts->first + (uint32_t)(chunks * number / parts->count);
  uint32_t end = parts->first + (uint32_t)(chunks * (number + 1) / parts->count);
  return (uint64_t)first << 32 | end;
}

static inline bool ghcomp_part_is_untouched(const struct parts *parts, unsigned number)
{
  return load_relaxed(&parts->part[number].range.bounds) == PART_UNTOUCHED;
}

/* An untouched part gets its bounds.  False: somebody was faster.  */
static inline bool ghcomp_part_begin(const struct parts *parts, unsigned number)
{
  uint64_t untouched = PART_UNTOUCHED;
  return cas_relaxed(&parts->part[number].range.bounds, &untouched, ghcomp_part_bounds(parts, number));
}

/* Nobody but the caller sees the parts: they are all untouched.  */
static inline void ghcomp_parts_reset(const struct parts *parts)
{
  for (unsigned i = 0; i < parts->count; i++)
    store_relaxed(&parts->part[i].range.bounds, PART_UNTOUCHED);
}

/* ----------------------------------------------------------------- with thieves */

/* Half of what the victim has left, or was given and has not begun, becomes mine.  Mine is
   empty, so nobody else changes it.  */
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

/* Draws from one's own part, which is begun, or is made empty by who is given none; and where that has nothing
   left, from what it takes from another.  Returns how many chunks, from *first on; 0: there are no more.  */
static inline uint32_t ghcomp_parts_draw(const struct parts *parts, unsigned me, struct draw draw,
                                         uint32_t *first)
{
  uint32_t drawn;
  do
    drawn = ghcomp_range_take(&parts->part[me].range, draw.least, draw.most, draw.share, first);
  while (drawn == 0 && ghcomp_parts_steal(parts, me));
  return drawn;
}

/* ----------------------------------------------------------------- whole parts */

/* Those that may not come leave their parts to others, who claim them and execute them whole.  */

/* Another part that nobody has begun, which is the caller's now; or parts->count: there is none.  */
static inline unsigned ghcomp_parts_claim(const struct parts *parts)
{
  unsigned i = 0;
  while (i < parts->count && !(ghcomp_part_is_untouched(parts, i) && ghcomp_part_begin(parts, i)))
    i++;
  return i;
}

/* Where chunks are dealt out, part i of n has the chunks i, i + n, i + 2n, …: so many.  */
static inline uint32_t ghcomp_part_dealt(const struct parts *parts, unsigned number)
{
  return (parts->end - number + parts->count - 1) / parts->count;
}

#endif
