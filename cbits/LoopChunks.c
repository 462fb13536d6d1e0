/* Chunks of a Haskell loop: each worker draws one after the other.

   The parts of a loop, and how a worker takes from another, are those of work/own_parts.h.  This
   file adds what only a Haskell loop has: a caller that is alone at first, parts whose owners may
   not come, and a Capability that other threads may want between two chunks.

   Invariant: each chunk is executed once, by a thread that is inside (the caller always is).  */
#include "Loop.h"

#include "Capability.h"
#include "base/cycles.h"
#include "machine/clock.h"

/* ----------------------------------------------------------------- whole parts */

static bool is_claimed_whole(const struct loop_context *context)
{
  return context->handing_out == WHOLE_PARTS || context->handing_out == DEALT_CHUNKS;
}

/* The whole part belongs to the worker.  */
static void have_part(struct loop_worker *worker, unsigned number)
{
  const struct loop_context *context = worker->context;
  uint64_t bounds = ghcomp_part_bounds(&context->parts, number);
  bool dealt = context->handing_out == DEALT_CHUNKS;
  worker->claimed_part = number;
  /* Only a caller without helpers has taken dealt chunks alone, so then all others are in one part.  */
  worker->next_of_part = dealt ? context->parts.first : (uint32_t)(bounds >> 32);
  worker->part_end = dealt ? ghcomp_part_dealt(&context->parts, number) : (uint32_t)bounds;
}

void ghcomp_loop_begin_part(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  const struct parts *parts = &context->parts;
  worker->rest_begin = worker->rest_end = 0;
  worker->next_of_part = worker->part_end = 0;
  worker->news_seen = UINT32_MAX;
  if (context->handing_out == NO_CHUNKS)
    return;
  if (worker->number >= parts->count)
    ghcomp_range_set(&parts->part[worker->number].range, 0, 0); /* of an earlier loop */
  else if (ghcomp_part_begin(parts, worker->number) && is_claimed_whole(context))
    have_part(worker, worker->number);
}

static __attribute__((noinline)) uint32_t take_of_whole_part(const struct loop_context *context,
                                                             struct loop_worker *worker, uint32_t *first)
{
  while (worker->next_of_part == worker->part_end) {
    unsigned other = ghcomp_parts_claim(&context->parts);
    if (other == context->parts.count)
      return 0;
    have_part(worker, other);
  }
  uint32_t at = worker->next_of_part++;
  *first = context->handing_out == DEALT_CHUNKS ? worker->claimed_part + at * context->parts.count : at;
  return 1;
}

/* ------------------------------------------------------------------------ draws */

static __attribute__((noinline)) uint32_t take_or_steal(const struct loop_context *context,
                                                        const struct loop_worker *worker, uint32_t *first)
{
  bool half = context->handing_out == SHRINKING;
  uint32_t usual = context->chunks_per_draw;
  struct draw draw = {.least = usual, .most = half ? UINT32_MAX : usual, .divisor = half ? 2 : 1};
  return ghcomp_parts_draw(&context->parts, worker->number, draw, first);
}

/* A function of its own, so that the draws of a caller that is alone need not save registers for
   it.  The same holds for looks at the clock, and here for thefts.  */
static __attribute__((noinline)) uint32_t take(struct loop_context *context,
                                               struct loop_worker *worker, uint32_t *first)
{
  uint32_t usual = context->chunks_per_draw, taken = 0;
  if (is_claimed_whole(context))
    return take_of_whole_part(context, worker, first);
  if (context->handing_out == STEALING) /* without a division */
    taken = ghcomp_range_take(&context->parts.part[worker->number].range, usual, usual, 1, first);
  return likely(taken != 0) ? taken : take_or_steal(context, worker, first);
}

/* The caller's next chunks while it is alone.  */
static uint32_t take_alone(struct loop_context *context, uint32_t *first)
{
  uint32_t left = context->chunks - context->next_alone;
  uint32_t taken = left < context->chunks_per_draw ? left : context->chunks_per_draw;
  if (context->handing_out == SHRINKING && left / (2 * context->parts.count) > 1)
    taken = left / (2 * context->parts.count);
  *first = context->next_alone;
  context->next_alone += taken;
  if (*first == 0 && context->parts.count > 1)
    context->opened_at = cycles_now(); /* what comes before the first chunk would count for each one */
  return taken;
}

static bool has_become_long(struct loop_context *context)
{
  return context->parts.count > 1 && context->next_alone != 0 &&
         context->next_alone < context->chunks && --context->draws_to_look == 0 &&
         ghcomp_loop_is_long(context);
}

/* For a caller that is alone the loop ends when it has become long: see ghcomp_loop_close.  */
static uint32_t take_if_alone(struct loop_context *context, struct loop_worker *worker,
                              uint32_t *first)
{
  if (worker->number != 0 || !context->alone)
    return take(context, worker, first);
  if (likely(!has_become_long(context)))
    return take_alone(context, first);
  context->wants_help = true;
  return 0;
}

/* --------------------------------------------------------------------- giving way */

/* Every few milliseconds.  A thread of the RTS that returns from a system call, such as the one
   that handles timeouts, waits for a Capability without announcing it.  The RTS would give it one
   at the end of the time slice.  The clock is the coarse one, and the shorter the chunks are, the
   more rarely it is read.  */
enum { MOST_DRAWS = 64 };

static __attribute__((noinline)) bool clock_went_on(struct loop_worker *worker)
{
  int64_t tick = (int64_t)clock_coarse_ns();
  bool later = tick != worker->clock_seen;
  worker->clock_seen = tick;
  worker->draws_since_look = 0;
  if (later)
    worker->draws_between_looks = 1;
  else if (worker->draws_between_looks < MOST_DRAWS)
    worker->draws_between_looks *= 2;
  return later;
}

static bool is_time_to_look(struct loop_worker *worker)
{
  return unlikely(++worker->draws_since_look >= worker->draws_between_looks) && clock_went_on(worker);
}

/* Never twice without a chunk in between: if a thread shares its Capability with others that
   compute, every look at the clock shows that time has passed.  */
static bool is_to_give_way(struct loop_worker *worker)
{
  if (worker->gave_way)
    worker->gave_way = false;
  else if (ghcomp_capability_is_wanted())
    worker->gave_way = true;
  else if (is_time_to_look(worker)) {
    store_relaxed(ghcomp_capability_heap_limit(), NULL);
    worker->gave_way = true;
  }
  return worker->gave_way;
}

/* ------------------------------------------------------------------------- slices */

/* A very long loop has chunks that are longer than requested, and hands them out in slices.  */
static __attribute__((noinline)) int64_t next_slice(const struct loop_context *context,
                                                    struct loop_worker *worker)
{
  int64_t first = worker->rest_begin, left = worker->rest_end - first;
  worker->rest_begin = worker->chunk_end = left < context->slice_size ? worker->rest_end : first + context->slice_size;
  return first;
}

static __attribute__((noinline)) int64_t first_slice(const struct loop_context *context,
                                                     struct loop_worker *worker, int64_t first)
{
  worker->rest_begin = first;
  worker->rest_end = worker->chunk_end;
  return next_slice(context, worker);
}

/* The end cannot overflow, because it is counted from the last full chunk.  */
static int64_t end_of(const struct loop_context *context, uint64_t chunk)
{
  return chunk >= context->chunks ? context->count : (int64_t)chunk * context->chunk;
}

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

int64_t ghcomp_loop_next(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  uint32_t first = 0;
  if (load_relaxed(&context->cancelled))
    return NEXT_NONE;
  if (is_to_give_way(worker))
    return NEXT_GIVE_WAY;
  if (unlikely(worker->rest_begin != worker->rest_end))
    return next_slice(context, worker);
  uint32_t taken = take_if_alone(context, worker, &first);
  if (taken == 0)
    return worker->number == 0 && context->wants_help ? NEXT_WANTS_HELP : NEXT_NONE;
  worker->chunk_number = first;
  worker->chunk_end = end_of(context, (uint64_t)first + taken);
  int64_t begin = (int64_t)first * context->chunk;
  return likely(context->slice_size == 0) ? begin : first_slice(context, worker, begin);
}

#pragma GCC visibility pop
