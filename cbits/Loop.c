/* A loop whose body is Haskell: its iterations are cut into chunks, which the
   calling Haskell thread and, where Capabilities are free, workers of the pool
   hand out among themselves.  The protocol is in Loop.md; here is a loop's life.

   The caller is worker 0.  Every function is short and called `unsafe`.

   Invariant: after ghcomp_loop_close, ghcomp_loop_wait or ghcomp_loop_will_sleep has returned 0, or a
   ghcomp_loop_leave true, nobody is inside and nobody will be until the context is
   opened again.  */
#include "Loop.h"

#include "Capability.h"
#include "task/lineage.h"
#include "team/thread.h"
#include "threads/host.h"

/* ------------------------------------------------------------------ opening */

/* Chunks: small enough for every worker to have several and for an exception to
   be seen soon, large enough for drawing one to cost nothing.  */
enum { CHUNKS_PER_WORKER = 16, LARGEST_DEFAULT_CHUNK = 8192 };

static int64_t default_chunk(int64_t count, unsigned workers)
{
  int64_t chunk = count / ((int64_t)workers * CHUNKS_PER_WORKER);
  if (chunk > LARGEST_DEFAULT_CHUNK)
    return LARGEST_DEFAULT_CHUNK;
  return chunk > 0 ? chunk : 1;
}

/* How many workers, with the caller: what the caller's num_threads or nthreads-var
   says, but no more than there are Capabilities for.  */
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

/* Chunks from `first` on are handed out in parts.  */
static void cut(struct loop_context *context, uint32_t first)
{
  struct parts *parts = &context->parts;
  parts->first = first;
  parts->end = context->chunks;
  if (parts->count > parts->end - first)
    parts->count = parts->end - first;
  ghcomp_parts_reset(parts);
  if (context->handing_out == NO_CHUNKS)
    ghcomp_task_begin_group(context);
  ghcomp_loop_begin_part(&context->worker[0]);
}

/* ------------------------------------------------------------------ the end */

struct end_wait {
  struct wait wait;
  struct loop_context *context;
  uint32_t inside;
};

static inline bool nobody_is_inside(struct wait *wait)
{
  struct end_wait *end = (struct end_wait *)wait;
  end->inside = load_acquire(&end->context->state) & LOOP_INSIDE; /* pairs with ghcomp_loop_leave */
  return end->inside == 0;
}

static const struct wait_kind until_nobody_is_inside = {
    .is_over = nobody_is_inside, .begin = ghcomp_capability_begin_wait,
    .is_wanted = ghcomp_capability_is_wanted_of, .when_spent = THEN_GIVE_UP};

/* Haskell code calls these, also where it was inlined into another library.  */
#pragma GCC visibility push(default)

/* Describes the next loop: iterations 0…count-1 (count > 0) in chunks of `chunk`, 0
   for the usual size, for `asked` workers, 0 for as many as usual.  Chunks are
   longer where there would be 2^32 of them, and handed out in slices of that size.
   Returns how many there are.  */
int64_t ghcomp_loop_describe(struct loop_context *context, int64_t count, int64_t chunk,
                             int handing_out, unsigned asked)
{
  unsigned workers = workers_for(context, asked);
  if (handing_out == NO_CHUNKS)
    count = workers;
  context->chunk_is_free = chunk <= 0;
  if (chunk <= 0)
    chunk = default_chunk(count, workers);
  context->slice = count / chunk >= INT64_C(0xffffffff) ? chunk : 0;
  while (count / chunk >= INT64_C(0xffffffff))
    chunk *= 2;
  context->worker[0].sliced = context->worker[0].slices_end = 0;
  context->count = count;
  context->chunk = chunk;
  context->chunks = (uint32_t)((count - 1) / chunk + 1);
  context->grain = 1;
  context->handing_out = (enum handing_out)handing_out;
  context->parts.count = workers < context->chunks ? workers : context->chunks;
  store_relaxed(&context->cancelled, false);
  return context->chunks;
}

/* The chunks that the caller has not taken alone are for everybody.  */
void ghcomp_loop_admit(struct loop_context *context)
{
  context->alone = context->wants_help = false;
  cut(context, context->first_alone);
  /* Pairs with the compare-and-swap in ghcomp_loop_enter: the loop is described,
     and its job can be read.  */
  store_release(&context->state, 0);
  if (context->parts.count > 1)
    ghcomp_loop_call_helpers(context, context->parts.count - 1);
}

/* A helper.  The calling OS thread's worker, if it is now inside: then the job may be read, and
   the caller waits for its ghcomp_loop_leave.  Else NULL.  */
struct loop_worker *ghcomp_loop_enter(struct loop_context *context)
{
  struct loop_worker *worker = &context->worker[ghcomp_self()->member->number];
  uint32_t state = load_relaxed(&context->state);
  do
    if ((state & LOOP_CLOSED) != 0)
      return NULL;
  /* Pairs with the store_release in ghcomp_loop_admit.  */
  while (!cas_acquire(&context->state, &state, state + 1));
  ghcomp_loop_begin_part(worker);
  return worker;
}

/* True: the caller sleeps, and it was the last: who leaves wakes the caller.  */
HsBool ghcomp_loop_leave(struct loop_worker *worker)
{
  /* Pairs with the loads in ghcomp_loop_close, _wait and _will_sleep: what the helper
     did is seen.  */
  uint32_t old = sub_acq_rel(&worker->context->state, 1);
  return old == (LOOP_CLOSED | LOOP_WAITER | 1);
}

/* No further chunk is handed out.  */
void ghcomp_loop_cancel(struct loop_worker *worker)
{
  store_relaxed(&worker->context->cancelled, true);
}

HsBool ghcomp_loop_is_cancelled(const struct loop_worker *worker)
{
  return load_relaxed(&worker->context->cancelled);
}

/* Nobody enters any more.  Returns how many are inside; or LOOP_WANTS_HELP: the caller was
   alone, and is to show the job, call ghcomp_loop_admit, and go on.  */
uint32_t ghcomp_loop_close(struct loop_context *context)
{
  if (context->alone)
    return context->wants_help ? LOOP_WANTS_HELP : 0;
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  return or_acquire(&context->state, LOOP_CLOSED) & LOOP_INSIDE;
}

/* Waits a little for those inside; returns how many are left.  Gives up at once
   when the RTS wants the Capability: a helper may need it for a collection.  */
uint32_t ghcomp_loop_wait(struct loop_context *context)
{
  struct end_wait end = {.wait.self = ghcomp_waiter_self, .context = context};
  ghcomp_wait(&until_nobody_is_inside, &end.wait);
  return end.inside;
}

/* The caller is about to sleep; whoever leaves last is told.  Returns how many are
   inside: if nobody is, nobody will wake it.  */
uint32_t ghcomp_loop_will_sleep(struct loop_context *context)
{
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  return or_acq_rel(&context->state, LOOP_WAITER) & LOOP_INSIDE;
}
