/* A loop whose body is Haskell, from its description to its end.  Its iterations are divided into
   chunks.  The calling Haskell thread and, if Capabilities are free, workers of the pool draw these
   chunks.  See Loop.md.

   The caller is worker 0.  Every function is short, and called `unsafe`.

   Invariant: after ghcomp_loop_close, ghcomp_loop_wait or ghcomp_loop_will_sleep has returned 0, or
   ghcomp_loop_leave has returned true, no helper is inside, and none enters before the context is
   opened again.  */
#include "Loop.h"

#include "Capability.h"
#include "task/lineage.h"
#include "team/thread.h"
#include "threads/host.h"

/* ------------------------------------------------------------------ opening */

/* The size of chunks: small enough that every worker has several and an exception is seen soon;
   large enough that drawing a chunk costs next to nothing.  */
enum { CHUNKS_PER_WORKER = 16, LARGEST_DEFAULT_CHUNK = 8192 };

static int64_t default_chunk(int64_t count, unsigned workers)
{
  int64_t chunk = count / ((int64_t)workers * CHUNKS_PER_WORKER);
  if (chunk > LARGEST_DEFAULT_CHUNK)
    return LARGEST_DEFAULT_CHUNK;
  return chunk > 0 ? chunk : 1;
}

/* The number of workers, including the caller: the caller's num_threads or nthreads-var, but at
   most the number of Capabilities.  */
static unsigned workers_for(const struct loop_context *context, unsigned asked)
{
  unsigned capabilities = ghcomp_host_capabilities();
  if (capabilities <= 1 || asked == 1)
    return 1;
  if (asked == 0)
    asked = ghcomp_icv()->nthreads;
  if (asked == 0 || asked > capabilities)
    asked = capabilities;
  return asked < context->capacity ? asked : context->capacity;
}

/* Puts the chunks from `first` on into parts.  */
static void cut(struct loop_context *context, uint32_t first)
{
  struct parts *parts = &context->parts;
  parts->first = first;
  parts->end = context->chunks;
  if (parts->count > parts->end - first)
    parts->count = parts->end - first;
  if (context->handing_out == NO_CHUNKS)
    ghcomp_task_begin_group(context);
  else
    ghcomp_parts_reset(parts);
  ghcomp_loop_begin_part(&context->worker[0]);
}

static const int64_t MOST_UNKNOWN = INT64_C(1) << 31; /* as chunks of one iteration they have numbers of 32 bits */

/* ------------------------------------------------------------------ the end */

struct end_wait {
  struct wait wait;
  struct loop_context *context;
  uint32_t inside;
};

static inline bool nobody_is_inside(struct wait *wait)
{
  struct end_wait *end = (struct end_wait *)wait;
  end->inside = load_acquire(&end->context->state) & STATE_INSIDE; /* pairs with ghcomp_loop_leave */
  return end->inside == 0;
}

static const struct wait_kind until_nobody_is_inside = {
    .is_over = nobody_is_inside, .begin_spin = ghcomp_capability_begin_wait,
    .is_wanted = ghcomp_capability_is_wanted_of, .when_spent = THEN_GIVE_UP};

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* Describes the next loop: iterations 0…count-1 (count 0: nobody knows how many; at most MOST_UNKNOWN) in chunks of `chunk` (0: the usual
   size), for `asked` workers (0: the usual number).  If there would be 2^32 chunks, they are
   longer, and handed out in slices of the requested size.  Returns the number of chunks.  */
int64_t ghcomp_loop_describe(struct loop_context *context, int64_t count, int64_t chunk,
                             int handing_out, unsigned asked)
{
  unsigned workers = workers_for(context, asked);
  if (handing_out == NO_CHUNKS)
    count = workers;
  context->count_unknown = count == 0;
  if (context->count_unknown)
    count = MOST_UNKNOWN;
  context->chunk_not_requested = chunk <= 0;
  if (chunk <= 0)
    chunk = default_chunk(count, workers);
  context->slice_size = count / chunk >= INT64_C(0xffffffff) ? chunk : 0;
  while (count / chunk >= INT64_C(0xffffffff))
    chunk *= 2;
  context->worker[0].rest_begin = context->worker[0].rest_end = 0;
  context->count = count;
  context->chunk = chunk;
  context->chunks = (uint32_t)((count - 1) / chunk + 1);
  context->chunks_per_draw = 1;
  context->handing_out = (enum handing_out)handing_out;
  context->parts.count = workers < context->chunks ? workers : context->chunks;
  store_relaxed(&context->cancelled, false);
  if (count == 1 && handing_out != NO_CHUNKS)
    ghcomp_loop_needs_no_watch(context);
  return context->chunks;
}

/* Helpers may enter: the chunks that the caller has not taken alone are for all.  */
void ghcomp_loop_admit(struct loop_context *context)
{
  context->alone = context->wants_help = false;
  cut(context, context->next_alone);
  /* Pairs with the compare-and-swap in ghcomp_loop_enter, which sees the loop's description and
     job.  */
  store_release(&context->state, 0);
  if (context->parts.count > 1)
    ghcomp_loop_call_helpers(context, context->parts.count - 1);
}

/* False: the loop is closed.  */
static bool enter(struct loop_context *context)
{
  uint32_t state = load_relaxed(&context->state);
  do
    if ((state & STATE_CLOSED) != 0)
      return false;
  /* Pairs with the store_release in ghcomp_loop_admit.  */
  while (!cas_acquire(&context->state, &state, state + 1));
  return true;
}

/* A helper enters.  Returns its worker: it is inside, may read the job, and the caller waits for
   its ghcomp_loop_leave.  NULL: the loop is closed.  */
struct loop_worker *ghcomp_loop_enter(struct loop_context *context)
{
  struct loop_worker *worker = &context->worker[ghcomp_self()->member->number];
  if (!enter(context))
    return NULL;
  ghcomp_loop_begin_part(worker);
  return worker;
}

HsBool ghcomp_loop_enter_as_guest(struct loop_context *context)
{
  return enter(context);
}

/* A helper leaves.  True: it was the last one, and must wake the caller, which sleeps.  */
HsBool ghcomp_loop_leave(struct loop_worker *worker)
{
  /* Pairs with the loads in ghcomp_loop_close, ghcomp_loop_wait and ghcomp_loop_will_sleep, which
     see what the helper did.  */
  uint32_t old = sub_acq_rel(&worker->context->state, 1);
  return old == (STATE_CLOSED | STATE_CALLER_SLEEPS | 1);
}

/* Hands out no further chunk.  */
void ghcomp_loop_cancel(struct loop_worker *worker)
{
  store_relaxed(&worker->context->cancelled, true);
}

HsBool ghcomp_loop_is_cancelled(const struct loop_worker *worker)
{
  return load_relaxed(&worker->context->cancelled);
}

/* No helper enters any more.  Returns how many are inside; or CLOSE_WANTS_HELP: the caller was
   alone, and must show the job, call ghcomp_loop_admit, and go on.  */
uint32_t ghcomp_loop_close(struct loop_context *context)
{
  if (context->alone)
    return context->wants_help ? CLOSE_WANTS_HELP : 0;
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  return or_acquire(&context->state, STATE_CLOSED) & STATE_INSIDE;
}

/* Waits a little for the helpers inside.  Returns how many are left.  Gives up at once if the RTS
   wants the Capability, because a helper may need it for a collection.  */
uint32_t ghcomp_loop_wait(struct loop_context *context)
{
  struct end_wait end = {.wait.self = ghcomp_waiter_self, .context = context};
  ghcomp_wait(&until_nobody_is_inside, &end.wait);
  return end.inside;
}

/* The caller is about to sleep, and the last helper to leave will wake it.  Returns how many are
   inside; 0: nobody will wake the caller.  */
uint32_t ghcomp_loop_will_sleep(struct loop_context *context)
{
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  return or_acq_rel(&context->state, STATE_CALLER_SLEEPS) & STATE_INSIDE;
}

#pragma GCC visibility pop
