/* Dispensers of iterations.

   Invariant: the chunks that the members of a team get are disjoint and cover 0…count-1.  With
   `ordered` each chunk is a contiguous range, and the next chunk begins where it ends; ordered.c
   needs no more.  */
#include "work/schedule.h"

#include "base/cycles.h"
#include "base/stats.h"
#include "state/thread.h"
#include "work/slots.h"
#include "work/static.h"

void ghcomp_schedule_choose(struct loop *loop, const struct icv *icv, unsigned schedule, uint64_t chunk)
{
  bool any_order = (schedule & SCHEDULE_ANY_ORDER) != 0;
  schedule &= ~(SCHEDULE_MONOTONIC | SCHEDULE_ANY_ORDER);
  if (schedule == 0) {
    schedule = icv->run_schedule & ~SCHEDULE_MONOTONIC;
    any_order = any_order && (icv->run_schedule & SCHEDULE_MONOTONIC) == 0;
    chunk = icv->run_chunk > 0 ? (uint64_t)icv->run_chunk : 0;
  }
  switch (schedule) {
  case SCHEDULE_DYNAMIC:
    loop->kind = any_order ? LOOP_OWN_PARTS : LOOP_DYNAMIC;
    break;
  case SCHEDULE_GUIDED:
  case SCHEDULE_TRAPEZOIDAL:
    loop->kind = LOOP_GUIDED;
    break;
  default:
    loop->kind = LOOP_STATIC;
    if (schedule == SCHEDULE_AUTO)
      chunk = 0;
    loop->chunk = chunk;
    return;
  }
  loop->chunk = chunk != 0 ? chunk : 1;
}

/* From the shared counter a member draws at most as many chunks as take about this long.  */
enum { DRAW_NS = 1000 };

/* True: members may add chunks to the counter without looking, because each member adds at most
   once after the end.  */
static bool additions_fit(const struct loop *loop, unsigned threads)
{
  return loop->count < (uint64_t)1 << 62 &&
         loop->chunk < ((uint64_t)1 << 62) / (DRAW_MOST * (uint64_t)threads);
}

/* The number of chunks; 0: a member has to draw one chunk at a time, because other members wait for
   iterations that it has drawn.  */
static uint32_t chunks_to_draw(const struct loop *loop)
{
  if (loop->count == 0 || loop->ordered || loop->is_doacross || !loop->adds_cannot_overflow)
    return 0;
  uint64_t chunks = (loop->count - 1) / loop->chunk + 1;
  return chunks < UINT32_MAX ? (uint32_t)chunks : 0;
}

void ghcomp_schedule_begin(struct member *member, const struct loop *loop)
{
  member->work.loop = *loop;
  struct loop *mine = &member->work.loop;
  mine->slot = ghcomp_slots_enter(member);
  mine->static_chunks_done = 0;
  mine->chunk_first = mine->chunk_end = 0;
  mine->drawn_end = 0;
  if (member->team->size == 1) { /* nobody shares the loop: all iterations at once */
    mine->kind = LOOP_STATIC;
    mine->chunk = 0;
    mine->ordered = false; /* no other member comes between */
  } else if (unlikely(mine->ordered)) {
    ghcomp_ordered_begin(member);
  } else if (mine->kind == LOOP_OWN_PARTS && !ghcomp_own_parts_begin(member)) {
    mine->kind = LOOP_DYNAMIC;
  }
  mine->adds_cannot_overflow = additions_fit(mine, member->team->size);
  if (mine->kind == LOOP_DYNAMIC) {
    mine->chunks = chunks_to_draw(mine);
    mine->last_draw = 0;
  }
}

void ghcomp_schedule_begin_preset(struct member *member, struct team *team)
{
  ghcomp_schedule_begin(member, &team->preset_loop);
}

/* Even parts.  GCC's code computes the same in line for schedule(static).  */
static bool next_block(struct loop *loop, unsigned number, unsigned threads)
{
  if (loop->static_chunks_done++ != 0)
    return false;
  struct part part = ghcomp_static_even(loop->count, threads, number);
  loop->chunk_first = part.first;
  loop->chunk_end = part.first + part.count;
  return part.count != 0;
}

unsigned ghcomp_schedule_owner(uint64_t count, uint64_t chunk, unsigned threads,
                               uint64_t iteration)
{
  if (chunk != 0)
    return (unsigned)(iteration / chunk % threads);
  uint64_t part = count / threads, rest = count % threads, longer = rest * (part + 1);
  return (unsigned)(iteration < longer ? iteration / (part + 1) : rest + (iteration - longer) / part);
}

/* Chunks that members get one after the other.  */
static bool next_dealt(struct loop *loop, unsigned number, unsigned threads)
{
  uint64_t chunks = (loop->count - 1) / loop->chunk + 1;
  uint64_t mine = loop->static_chunks_done * threads + number;
  if (loop->count == 0 || loop->static_chunks_done > chunks / threads || mine >= chunks)
    return false;
  loop->static_chunks_done++;
  loop->chunk_first = mine * loop->chunk;
  loop->chunk_end = loop->count - loop->chunk_first > loop->chunk ? loop->chunk_first + loop->chunk : loop->count;
  return true;
}

static bool next_dynamic(struct loop *loop)
{
  _Atomic uint64_t *handed_out = &loop->slot->handed_out;
  uint64_t first;
  if (likely(loop->adds_cannot_overflow)) {
    first = add_relaxed(handed_out, loop->chunk);
    if (first >= loop->count)
      return false;
  } else {
    first = load_relaxed(handed_out);
    uint64_t part;
    do {
      if (first >= loop->count)
        return false;
      part = loop->count - first < loop->chunk ? loop->count - first : loop->chunk;
    } while (!cas_relaxed(handed_out, &first, first + part));
  }
  loop->chunk_first = first;
  loop->chunk_end = loop->count - first > loop->chunk ? first + loop->chunk : loop->count;
  return true;
}

/* How many chunks to draw when `left` chunks are left.  The first one is drawn alone, to measure
   how long a chunk takes.  */
static uint32_t size_of_draw(struct loop *loop, uint32_t left, unsigned threads)
{
  uint64_t now = cycles_now(), wanted = 1;
  if (loop->last_draw != 0) {
    uint64_t each = (now - loop->last_draw_at) / loop->last_draw + 1;
    uint64_t share = left / (DRAW_DIVISOR * (uint64_t)threads);
    wanted = cycles_in(DRAW_NS) / each;
    wanted = wanted < share ? wanted : share;
    wanted = wanted > DRAW_MOST ? DRAW_MOST : wanted == 0 ? 1 : wanted;
  }
  loop->last_draw_at = now;
  return loop->last_draw = (uint32_t)wanted;
}

/* A member gets chunks in increasing order, as `monotonic` requires, even if it draws several
   consecutive ones.  The lowest chunk that is not executed is always the first of those that a
   member has drawn.

   How many are left the member knows from its own last draw: a look at the counter would transfer
   its line once more.  Others have drawn since, so it may draw more than its share of what is left,
   but never more than take about DRAW_NS.  A member that knows of the end adds no more.

   Members of a large team may wait for the counter for longer than a chunk takes.  That is no part of how long chunks
   take: who counted it would draw one chunk at a time, and so make the others wait.  In a small team the wait is shorter than
   a second look at the clock is worth.  */
static bool draw_shared(struct member *member)
{
  struct loop *loop = &member->work.loop;
  uint32_t left = loop->chunks - loop->drawn_end;
  if (left == 0)
    return false;
  unsigned threads = member->team->size;
  uint32_t draw = size_of_draw(loop, left, threads);
  uint64_t first = add_relaxed(&loop->slot->handed_out, draw * loop->chunk);
  if (unlikely(threads > MEMBER_GROUP))
    loop->last_draw_at = cycles_now();
  if (first >= loop->count) {
    loop->drawn_end = loop->chunks;
    return false;
  }
  uint32_t drawn = (uint32_t)(loop->chunk == 1 ? first : first / loop->chunk);
  loop->drawn_end = loop->chunks - drawn < draw ? loop->chunks : drawn + draw;
  loop->chunk_first = first;
  loop->chunk_end = loop->drawn_end != loop->chunks ? loop->drawn_end * loop->chunk : loop->count;
  ghcomp_count_more(&member->thread->waiter.counters, STAT_CHUNKS, loop->drawn_end - drawn);
  return true;
}

static bool next_shared(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (likely(loop->chunks != 0))
    return draw_shared(member);
  bool found = next_dynamic(loop);
  ghcomp_count_more(&member->thread->waiter.counters, STAT_CHUNKS, found);
  return found;
}

/* Rounded up, as far as so many are left.  */
static uint64_t whole_chunks(uint64_t part, uint64_t chunk, uint64_t left)
{
  uint64_t rest = part % chunk;
  return rest == 0 ? part : left - part < chunk - rest ? left : part + (chunk - rest);
}

/* All chunks from iteration `first` on are as small as they may be.  So members draw them by additions: a compare-and-swap fails
   whenever another member is faster, and all that have failed come to the counter again.  */
static inline bool only_smallest_left(const struct loop *loop, uint64_t first, unsigned threads)
{
  return loop->adds_cannot_overflow && loop->count - first <= loop->chunk * threads;
}

/* No other member has handed out less than what this one has seen: its current chunk.  */
static bool next_guided(struct loop *loop, unsigned threads)
{
  _Atomic uint64_t *handed_out = &loop->slot->handed_out;
  if (only_smallest_left(loop, loop->chunk_end, threads))
    return next_dynamic(loop);
  uint64_t first = load_relaxed(handed_out), part;
  do {
    uint64_t left = loop->count - first;
    if (first >= loop->count)
      return false;
    if (only_smallest_left(loop, first, threads))
      return next_dynamic(loop);
    part = left / threads + (left % threads != 0);
    if (part < loop->chunk)
      part = loop->chunk < left ? loop->chunk : left;
    else if (unlikely(loop->whole_chunks))
      part = whole_chunks(part, loop->chunk, left);
  } while (!cas_relaxed(handed_out, &first, first + part));
  loop->chunk_first = first;
  loop->chunk_end = first + part;
  return true;
}

static bool next_chunk(struct member *member)
{
  struct loop *loop = &member->work.loop;
  unsigned threads = member->team->size;
  bool found;
  switch (loop->kind) {
  case LOOP_STATIC:
    found = loop->chunk == 0 ? next_block(loop, member->number, threads)
                             : next_dealt(loop, member->number, threads);
    break;
  case LOOP_OWN_PARTS:
    found = ghcomp_own_parts_next(member);
    break;
  case LOOP_DYNAMIC:
    found = next_shared(member);
    break;
  case LOOP_GUIDED:
    found = next_guided(loop, threads);
    ghcomp_count_more(&member->thread->waiter.counters, STAT_CHUNKS, found);
    break;
  default:
    found = false;
  }
  if (unlikely(!found))
    loop->chunk_first = loop->chunk_end = 0;
  return found;
}

static __attribute__((noinline)) bool next_in_order(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (loop->chunk_first != loop->chunk_end)
    ghcomp_ordered_pass(member);
  loop->finished = 0;
  bool found = next_chunk(member);
  ghcomp_ordered_begin_chunk(member);
  return found;
}

bool ghcomp_schedule_next(struct member *member)
{
  return likely(!member->work.loop.ordered) ? next_chunk(member) : next_in_order(member);
}
