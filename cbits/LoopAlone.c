/* When a Haskell loop gets helpers.

   Help costs more than a short loop: cache lines are transferred, and to wake a sleeper takes
   system calls.  So a loop of many chunks, or without helpers, begins alone.  It calls helpers when
   its first chunks have shown that it is not short.  A loop of few chunks calls helpers at once,
   because one chunk may be a helper's whole share.  If parts belong to workers by number, the
   caller is never alone.  Nor is it if nobody knows how many iterations there are.

   Called by: the caller of the loop only, or who holds its share (LoopShare.c).  */
#include "Loop.h"

#include "base/cycles.h"

enum { CHUNKS_OF_ONE = 8, MOST_DRAWS_ALONE = 4 };
enum { NS_OF_WINDOW = 200000, NS_OF_DRAW = 200 };

/* Help is worthwhile from a few microseconds on.  How many depends on the distance between the
   processors.  */
enum { NS_WORTH_HELP = 1800, NS_WORTH_WAKING = 20000 };

/* A loop that would have been as fast alone doubles the length.  A loop that was clearly faster
   with help halves it.  */
void ghcomp_loop_judge_help(struct loop_context *context)
{
  uint64_t least = cycles_in(NS_WORTH_HELP), most = cycles_in(NS_WORTH_WAKING);
  uint64_t took = cycles_now() - context->opened_at, worth = context->help_threshold;
  if (took >= context->predicted_alone)
    worth *= 2;
  else if (took < context->predicted_alone - context->predicted_alone / 5)
    worth /= 2;
  context->help_threshold = worth < least ? least : worth > most ? most : worth;
}

static bool may_begin_alone(const struct loop_context *context)
{
  if (context->handing_out == NO_CHUNKS)
    return false;
  if (context->count_unknown && context->parts.count > 1) /* there may be few */
    return false;
  return context->parts.count == 1 || (context->handing_out >= STEALING &&
                                       context->chunks >= CHUNKS_OF_ONE * context->parts.count);
}

/* If no size of chunks was requested, as many are drawn at once as take NS_OF_DRAW, so that draws
   cost little; but only a small share of those that are left. */
static uint32_t usual_draw(const struct loop_context *context, uint64_t cycles_of_chunk, uint32_t left)
{
  uint64_t chunks = cycles_in(NS_OF_DRAW) / (cycles_of_chunk + 1);
  uint32_t most = left / (4 * context->parts.count);
  if (context->handing_out != STEALING || !context->chunk_not_requested || most < 1)
    return 1;
  return chunks < 1 ? 1 : chunks > most ? most : (uint32_t)chunks;
}

/* To wake a helper takes as long as a loop of a few microseconds.  For many such loops in a row it
   is worthwhile.  So the times of loops without help are added up, as long as the loops follow each
   other closely.  */
static bool is_worth_waking(struct loop_context *context, uint64_t now, uint64_t length)
{
  if (!context->in_without_help) {
    if (now - context->without_help_since > cycles_in(NS_OF_WINDOW)) {
      context->without_help_since = now;
      context->without_help = 0;
    }
    context->in_without_help = true;
    context->without_help += length;
  }
  if (length < cycles_in(NS_WORTH_WAKING) && context->without_help < cycles_in(NS_WORTH_WAKING))
    return false;
  context->without_help = 0;
  return true;
}

/* True: the loop has run for this long, or will, if its chunks are alike.  The clock is read after
   one chunk, after two more, and then after every four.  */
bool ghcomp_loop_is_long(struct loop_context *context)
{
  context->draws_to_look = context->draws_between_looks;
  if (context->draws_between_looks < MOST_DRAWS_ALONE)
    context->draws_between_looks *= 2;
  uint32_t left = context->chunks - context->next_alone;
  uint64_t now = cycles_now(), run = now - context->opened_at;
  uint64_t of_chunk = run / context->next_alone, rest = of_chunk * left;
  context->chunks_per_draw = usual_draw(context, of_chunk, left);
  uint64_t longer = run > rest ? run : rest;
  if (context->help_threshold == 0)
    context->help_threshold = cycles_in(NS_WORTH_HELP);
  if (longer < context->help_threshold ||
      !(ghcomp_loop_helpers_are_awake(context) || is_worth_waking(context, now, longer)))
    return false;
  context->predicted_alone = run + rest;
  return true;
}

/* Haskell code calls this function, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* What ghcomp_loop_open returns.  */
enum { OPEN_ALONE = 1, OPEN_LACKS_WATCHER = 2 };

/* OPEN_ALONE: the caller begins alone; else it shows the job and calls ghcomp_loop_admit.  OPEN_LACKS_WATCHER: it calls
   ghcomp_watch_wake first.  */
int ghcomp_loop_open(struct loop_context *context)
{
  context->predicted_alone = 0;
  context->next_alone = 0;
  context->wants_help = false;
  context->alone = may_begin_alone(context);
  if (context->alone) {
    context->in_without_help = false;
    context->draws_to_look = context->draws_between_looks = 1;
    context->opened_at = 0;
  }
  return (context->alone ? OPEN_ALONE : 0) | (ghcomp_loop_lacks_watcher(context) ? OPEN_LACKS_WATCHER : 0);
}

#pragma GCC visibility pop
