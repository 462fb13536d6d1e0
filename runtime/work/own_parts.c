/* A member draws several chunks at a time from its own part, and executes them as one range, in one call.  A draw
   costs one compare-and-swap on a line that others seldom use.  The member draws a small share of
   what is left, so that others can take the rest, and towards the end one chunk at a time.

   The loop's last chunk is in no part.  A member that finds all parts empty takes it, executes it,
   and leaves.  The reason: compiled code takes the values of lastprivate and linear variables from
   the member whose last iteration was the loop's.  So nobody holds that chunk back for later while
   another member has none.

   Invariant: `handed_out` of the loop's slot is 1 if a member has taken the last chunk, else 0.

   The parts, and how a member takes from another, are in own_parts.h.  Models:
   test/model/own_parts.pml, test/weak/models/own_parts.c.  */
#include "work/own_parts.h"

#include "base/stats.h"
#include "state/thread.h"
#include "work/schedule.h"
#include "work/slots.h"

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
  loop->own_part_begun = loop->took_last_chunk = false;
  return true;
}

static struct parts parts_of(const struct member *member)
{
  const struct loop *loop = &member->work.loop;
  return (struct parts){.part = loop->parts, .end = loop->chunks - 1, .count = member->team->size};
}

static bool draw_more(struct member *member)
{
  struct loop *loop = &member->work.loop;
  struct parts parts = parts_of(member);
  if (!loop->own_part_begun) {
    loop->own_part_begun = true;
    ghcomp_part_begin(&parts, member->number); /* otherwise a thief has begun it */
  }
  static const struct draw some = {.least = 1, .most = DRAW_MOST, .divisor = DRAW_DIVISOR};
  uint32_t from, drawn = ghcomp_parts_draw(&parts, member->number, some, &from);
  if (drawn == 0)
    return false;
  loop->chunk_first = from * loop->chunk;
  loop->chunk_end = (from + drawn) * loop->chunk;
  ghcomp_count_more(&member->thread->waiter.counters, STAT_CHUNKS, drawn);
  return true;
}

static bool take_last(struct member *member)
{
  struct loop *loop = &member->work.loop;
  uint64_t taken = load_relaxed(&loop->slot->handed_out);
  if (taken != 0 || !cas_relaxed(&loop->slot->handed_out, &taken, 1))
    return false;
  loop->took_last_chunk = true;
  loop->chunk_first = (loop->chunks - 1) * loop->chunk;
  loop->chunk_end = loop->count;
  ghcomp_count(&member->thread->waiter.counters, STAT_CHUNKS);
  return true;
}

bool ghcomp_own_parts_next(struct member *member)
{
  /* After the loop's last chunk no other chunk may follow.  (A thief that held chunks when all
     parts were empty may have filled its own part since.)  */
  return !member->work.loop.took_last_chunk && (draw_more(member) || take_last(member));
}
