/* A member draws several chunks at a time from its own part, and executes them one by one.  A draw
   costs one compare-and-swap on a line that others seldom use.  The member draws a small share of
   what is left, so that others can take the rest, and towards the end one chunk at a time.

   The member that draws the loop's last chunk executes that chunk as its own last one.  The reason:
   compiled code takes the values of lastprivate and linear variables from the member whose last
   iteration was the loop's.

   Invariant: each chunk number of the loop is in a part (untouched parts count as full), or was
   drawn by a member that will execute it, or was executed.  Numbers change their place by one
   compare-and-swap (range.h).  A part is untouched until its member, or a thief, replaces that mark
   by the part's bounds.  Models: test/model/own_parts.pml, test/weak/models/own_parts.c.  */
#include "work/schedule.h"

#include "base/stats.h"
#include "state/thread.h"
#include "work/slots.h"

#define UNTOUCHED UINT64_MAX

bool ghcomp_own_parts_begin(struct member *member)
{
  struct loop *loop = &member->work.loop;
  uint64_t chunks = loop->count != 0 ? (loop->count - 1) / loop->chunk + 1 : 0;
  if (chunks == 0 || chunks >= UINT32_MAX)
    return false;
  loop->parts = ghcomp_slots_parts(member);
  if (unlikely(loop->parts == NULL))
    return false;
  loop->chunks = (uint32_t)chunks;
  loop->begun = loop->keeps_last = loop->had_last = false;
  return loop->parts != NULL;
}

static uint32_t bound(const struct loop *loop, unsigned number, unsigned threads)
{
  return (uint32_t)((uint64_t)loop->chunks * number / threads);
}

static bool draw(struct loop *loop, struct range *range)
{
  uint32_t from, drawn = ghcomp_range_take(range, 1, DRAW_MOST, DRAW_SHARE, &from);
  if (drawn == 0)
    return false;
  bool last = from + drawn == loop->chunks;
  loop->keeps_last = loop->keeps_last || last;
  loop->drawn = from;
  loop->drawn_end = from + drawn - last;
  return true;
}

/* Moves half of the victim's chunks, begun or not, into the member's own range.  That is empty, so
   no other thread changes it.  */
static bool take_half(struct loop *loop, struct range *mine, unsigned victim, unsigned threads)
{
  struct range *theirs = &loop->parts[victim].range;
  uint64_t untouched = UNTOUCHED;
  uint32_t from, taken;
  if (load_relaxed(&theirs->bounds) == UNTOUCHED) {
    uint32_t first = bound(loop, victim, threads), end = bound(loop, victim + 1, threads);
    cas_relaxed(&theirs->bounds, &untouched, (uint64_t)first << 32 | end);
  }
  taken = ghcomp_range_steal(theirs, &from);
  if (taken != 0)
    ghcomp_range_set(mine, from, from + taken);
  return taken != 0;
}

static bool draw_more(struct member *member)
{
  struct loop *loop = &member->work.loop;
  unsigned threads = member->team->size, me = member->number;
  struct range *mine = &loop->parts[me].range;
  if (!loop->begun) {
    uint64_t untouched = UNTOUCHED;
    uint64_t bounds = (uint64_t)bound(loop, me, threads) << 32 | bound(loop, me + 1, threads);
    loop->begun = true;
    cas_relaxed(&mine->bounds, &untouched, bounds); /* otherwise a thief has begun it */
  }
  while (!draw(loop, mine)) {
    unsigned i = 1;
    while (i < threads && !take_half(loop, mine, (me + i) % threads, threads))
      i++;
    if (i >= threads)
      return false;
  }
  ghcomp_count_more(&member->thread->waiter.counters, STAT_CHUNKS, loop->drawn_end - loop->drawn);
  return true;
}

static bool draw_last(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (!loop->keeps_last)
    return false;
  loop->keeps_last = false;
  loop->had_last = true;
  loop->drawn_end = loop->chunks;
  loop->drawn = loop->drawn_end - 1;
  ghcomp_count(&member->thread->waiter.counters, STAT_CHUNKS);
  return true;
}

bool ghcomp_own_parts_next(struct member *member)
{
  struct loop *loop = &member->work.loop;
  while (!ghcomp_own_parts_next_drawn(loop)) {
    /* After the loop's last chunk no other chunk may follow.  (A thief that held chunks when all
       parts were empty may have filled its own part since.)  */
    if (loop->had_last || (!draw_more(member) && !draw_last(member)))
      return false;
  }
  return true;
}
