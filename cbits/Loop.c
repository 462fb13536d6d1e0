/* A loop whose body is Haskell: its iterations are cut into chunks, which the
   calling Haskell thread and, where Capabilities are free, workers of the pool
   hand out among themselves.  The protocol is in Loop.md.

   The caller is worker 0.  It is a Haskell thread, which moves between OS threads,
   so nothing here belongs to an OS thread: the context does.  Every function is
   short and called `unsafe`.

   Invariant: a chunk is executed once, by somebody who is inside (the caller
   always is); after ghcomp_loop_close or ghcomp_loop_will_sleep has returned 0, or a
   ghcomp_loop_leave true, nobody is inside and nobody will be until the context is
   opened again.  */
#include "Loop.h"

#include "base/cycles.h"
#include "base/memory.h"
#include "machine/clock.h"
#include "machine/process.h"
#include "machine/thread.h"
#include "task/lineage.h"
#include "team/thread.h"
#include "threads/host.h"
#include "wait/lock.h"

#include <Rts.h>

#include <string.h>

/* Haskell code calls these, also where it was inlined into another library.  */
#pragma GCC visibility push(default)

/* --------------------------------------------------------------- contexts */

/* Contexts that are not in use, found without a lock in the first places; the
   place that a Capability looks at first is its own.  */
#define PLACES 64
static _Atomic(struct loop_context *) places[PLACES];

static lock_word lock;
static struct loop_context *overflow;           /* guarded by lock */
static _Atomic(struct loop_context *) all;      /* grows only */

static unsigned own_place(void)
{
  return (unsigned)((uintptr_t)rts_unsafeGetMyCapability() >> 12) % PLACES;
}

static void in_child(void)
{
  static const lock_word fresh = LOCK_FREE;
  memcpy(&lock, &fresh, sizeof lock);
  for (struct loop_context *c = load_relaxed(&all); c != NULL; c = c->next) {
    and_relaxed(&c->state, ~LOOP_INSIDE);
    ghcomp_loop_forget_helpers(c);
  }
  ghcomp_loop_forget_all_helpers();
}

static void watch_forks(void)
{
  ghcomp_machine_in_forked_child(in_child);
}

/* Workers that a context has room for.  */
enum { LEAST_CAPACITY = 64 };

static struct loop_context *make_context(void)
{
  static struct once once = ONCE_INIT;
  ghcomp_machine_once(&once, watch_forks);
  unsigned capacity = LEAST_CAPACITY;
  while (capacity < ghcomp_host_capabilities())
    capacity *= 2;
  struct loop_context *context =
      ghcomp_memory_get_lines(sizeof *context + capacity * sizeof context->worker[0]);
  context->capacity = capacity;
  store_relaxed(&context->state, LOOP_CLOSED);
  for (unsigned i = 0; i < capacity; i++) {
    context->worker[i].context = context;
    context->worker[i].number = i;
  }
  struct loop_context *first = load_relaxed(&all);
  do
    context->next = first;
  while (!cas_release(&all, &first, context));
  return context;
}

static struct loop_context *take_overflow(void)
{
  ghcomp_lock_acquire(&lock);
  struct loop_context *context = overflow;
  if (context != NULL)
    overflow = context->next_free;
  ghcomp_lock_release(&lock);
  return context;
}

static struct loop_context *take_free(void)
{
  unsigned own = own_place();
  for (unsigned i = 0; i < PLACES; i++) {
    _Atomic(struct loop_context *) *place = &places[(own + i) % PLACES];
    struct loop_context *context = load_relaxed(place);
    /* Pairs with the compare-and-swap in ghcomp_loop_give.  */
    if (context != NULL && (context = swap_acquire(place, NULL)) != NULL)
      return context;
  }
  return take_overflow();
}

/* A context that nobody uses.  Its job is NULL when it is new.  One that was made for
   fewer Capabilities than there are now is not used again.  */
struct loop_context *ghcomp_loop_take(void)
{
  struct loop_context *context = take_free();
  while (unlikely(context != NULL && context->capacity < enabled_capabilities))
    context = take_free();
  return context != NULL ? context : make_context();
}

/* Help is worth it from some microseconds on, according to how far the processors are
   from each other.  A loop that would have been as fast alone doubles the length,
   one that was clearly faster takes half of it back.  */
enum { NS_WORTH_HELP = 1800, NS_WORTH_WAKING = 20000 };

static void judge_help(struct loop_context *context)
{
  uint64_t least = cycles_in(NS_WORTH_HELP), most = cycles_in(NS_WORTH_WAKING);
  uint64_t took = cycles_now() - context->opened, worth = context->worth_help;
  if (took >= context->predicted)
    worth *= 2;
  else if (took < context->predicted - context->predicted / 5)
    worth /= 2;
  context->worth_help = worth < least ? least : worth > most ? most : worth;
}

void ghcomp_loop_give(struct loop_context *context)
{
  if (context->predicted != 0 && !load_relaxed(&context->cancelled))
    judge_help(context);
  unsigned own = own_place();
  for (unsigned i = 0; i < PLACES; i++) {
    struct loop_context *nobody = NULL;
    if (cas_release(&places[(own + i) % PLACES], &nobody, context))
      return;
  }
  ghcomp_lock_acquire(&lock);
  context->next_free = overflow;
  overflow = context;
  ghcomp_lock_release(&lock);
}

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

static void empty_deque(struct loop_worker *worker)
{
  store_relaxed(&worker->top, 0);
  store_relaxed(&worker->bottom, 0);
  store_relaxed(&worker->created, 0);
  store_relaxed(&worker->done, 0);
}

/* Chunks from `first` on are handed out in parts.  */
static void cut(struct loop_context *context, uint32_t first)
{
  uint32_t left = context->chunks - first, at = first;
  unsigned parts = context->parts < left ? context->parts : left;
  for (unsigned i = 0; i < parts; i++) {
    uint32_t end = first + (uint32_t)((uint64_t)left * (i + 1) / parts);
    if (context->schedule == LOOP_DEALT)
      ghcomp_range_set(&context->worker[i].part, 0, (left - i + parts - 1) / parts);
    else
      ghcomp_range_set(&context->worker[i].part, at, end);
    if (context->schedule == LOOP_TASKS)
      empty_deque(&context->worker[i]);
    store_relaxed(&context->worker[i].claimed, i == 0);
    context->worker[i].source = i;
    at = end;
  }
  context->parts = parts;
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

struct loop_worker *ghcomp_loop_worker(struct loop_context *context, int64_t number)
{
  return &context->worker[number];
}

/* Describes the next loop: iterations 0…count-1 (count > 0) in chunks of `chunk`, 0
   for the usual size, for `asked` workers, 0 for as many as usual.  Chunks are
   longer where there would be 2^32 of them, and handed out in slices of that size.
   Returns how many there are.  */
int64_t ghcomp_loop_describe(struct loop_context *context, int64_t count, int64_t chunk,
                             int schedule, unsigned asked)
{
  unsigned workers = workers_for(context, asked);
  if (schedule == LOOP_TASKS)
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
  context->schedule = (enum loop_schedule)schedule;
  context->parts = workers < context->chunks ? workers : context->chunks;
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
  if (context->parts > 1)
    ghcomp_loop_call_helpers(context, context->parts - 1);
}

/* Help costs more than a short loop does: cache lines go to and fro, and to wake a
   sleeper takes system calls.  So a loop of many chunks begins alone, as does one
   without helpers, and takes them when its first chunks have shown that it is not
   short.  A loop of few chunks asks at once: one of them may be all that the helper
   would have done.  Where parts have an owner by their number, nobody is alone.  */
enum { CHUNKS_OF_ONE = 8, MOST_DRAWS_ALONE = 4 };
enum { NS_OF_WINDOW = 200000, NS_OF_DRAW = 200 };

static bool may_begin_alone(const struct loop_context *context)
{
  if (context->schedule == LOOP_TASKS)
    return false;
  return context->parts == 1 || (context->schedule >= LOOP_STEALING &&
                                 context->chunks >= CHUNKS_OF_ONE * context->parts);
}

/* True: the caller begins alone.  Else it shows the job and calls ghcomp_loop_admit.  */
HsBool ghcomp_loop_open(struct loop_context *context)
{
  context->predicted = 0;
  context->first_alone = 0;
  context->wants_help = false;
  context->alone = may_begin_alone(context);
  if (context->alone) {
    context->counted = false;
    context->draws_alone = context->next_look_alone = 1;
    context->opened = context->parts > 1 ? cycles_now() : 0;
  }
  return context->alone;
}

/* Where nobody asked for a size of chunks, as many are drawn at once as take
   NS_OF_DRAW, which makes drawing them cost little; but few of those that are left. */
static uint32_t grain_for(const struct loop_context *context, uint64_t cycles_of_chunk, uint32_t left)
{
  uint64_t grain = cycles_in(NS_OF_DRAW) / (cycles_of_chunk + 1);
  uint32_t most = left / (4 * context->parts);
  if (context->schedule != LOOP_STEALING || !context->chunk_is_free || most < 1)
    return 1;
  return grain < 1 ? 1 : grain > most ? most : (uint32_t)grain;
}

/* To wake a helper for one loop of a few microseconds takes as long as the loop.  For
   many of them in a row it does not: each that did without adds its time, as long as
   they follow each other closely.  */
static bool is_worth_waking(struct loop_context *context, uint64_t now, uint64_t length)
{
  if (!context->counted) {
    if (now - context->window > cycles_in(NS_OF_WINDOW)) {
      context->window = now;
      context->without_help = 0;
    }
    context->counted = true;
    context->without_help += length;
  }
  if (length < cycles_in(NS_WORTH_WAKING) && context->without_help < cycles_in(NS_WORTH_WAKING))
    return false;
  context->without_help = 0;
  return true;
}

/* By the clock, which is read after one chunk, two more, and then each four: the
   loop has run for so long, or will if its chunks are alike.  */
static __attribute__((noinline)) bool is_long(struct loop_context *context)
{
  context->draws_alone = context->next_look_alone;
  if (context->next_look_alone < MOST_DRAWS_ALONE)
    context->next_look_alone *= 2;
  uint32_t left = context->chunks - context->first_alone;
  uint64_t now = cycles_now(), run = now - context->opened;
  uint64_t of_chunk = run / context->first_alone, rest = of_chunk * left;
  context->grain = grain_for(context, of_chunk, left);
  uint64_t longer = run > rest ? run : rest;
  if (context->worth_help == 0)
    context->worth_help = cycles_in(NS_WORTH_HELP);
  if (longer < context->worth_help ||
      !(ghcomp_loop_helpers_are_awake(context) || is_worth_waking(context, now, longer)))
    return false;
  context->predicted = run + rest;
  return true;
}

/* The caller's next chunks while it is alone.  */
static uint32_t take_alone(struct loop_context *context, uint32_t *first)
{
  uint32_t left = context->chunks - context->first_alone;
  uint32_t taken = left < context->grain ? left : context->grain;
  if (context->schedule == LOOP_SHRINKING && left / (2 * context->parts) > 1)
    taken = left / (2 * context->parts);
  *first = context->first_alone;
  context->first_alone += taken;
  return taken;
}

/* ----------------------------------------------------------------- a helper */

/* True: the caller sleeps, and it was the last: who leaves wakes the caller.  */
HsBool ghcomp_loop_leave(struct loop_worker *worker)
{
  /* Pairs with the loads in ghcomp_loop_close, _spin and _will_sleep: what the helper
     did is seen.  */
  uint32_t old = sub_acq_rel(&worker->context->state, 1);
  return old == (LOOP_CLOSED | LOOP_WAITER | 1);
}

static bool is_claimed_by_part(const struct loop_context *context)
{
  return context->schedule == LOOP_EQUAL_PARTS || context->schedule == LOOP_DEALT;
}

/* The calling OS thread's worker, if it is now inside: then the job may be read, and
   the caller waits for its ghcomp_loop_leave.  Else NULL.  */
struct loop_worker *ghcomp_loop_enter(struct loop_context *context)
{
  struct loop_worker *worker = &context->worker[ghcomp_self()->member->number];
  uint32_t state = load_relaxed(&context->state);
  do
    if ((state & LOOP_CLOSED) != 0)
      return NULL;
  /* Pairs with the store_release in ghcomp_loop_open.  */
  while (!cas_acquire(&context->state, &state, state + 1));
  bool mine = worker->number < context->parts;
  if (mine && is_claimed_by_part(context))
    mine = !swap_relaxed(&context->worker[worker->number].claimed, true);
  worker->source = mine ? worker->number : context->parts;
  worker->sliced = worker->slices_end = 0;
  if (worker->number >= context->parts)
    ghcomp_range_set(&worker->part, 0, 0); /* of an earlier loop */
  return worker;
}

/* ------------------------------------------------------------------- chunks */

/* Another part that nobody has begun.  */
static bool claim_part(struct loop_context *context, struct loop_worker *worker)
{
  for (unsigned i = 0; i < context->parts; i++)
    if (!load_relaxed(&context->worker[i].claimed) &&
        !swap_relaxed(&context->worker[i].claimed, true)) {
      worker->source = i;
      return true;
    }
  return false;
}

static bool steal(struct loop_context *context, struct loop_worker *worker)
{
  for (unsigned i = 1; i <= context->parts; i++) {
    struct loop_worker *victim = &context->worker[(worker->number + i) % context->parts];
    uint32_t first, taken;
    if (victim != worker && (taken = ghcomp_range_steal(&victim->part, &first)) != 0) {
      ghcomp_range_set(&worker->part, first, first + taken);
      return true;
    }
  }
  return false;
}

static uint32_t take_claimed(struct loop_context *context, struct loop_worker *worker,
                             uint32_t *first)
{
  uint32_t taken = 0;
  do
    if (worker->source < context->parts)
      taken = ghcomp_range_take(&context->worker[worker->source].part, 1, 1, 1, first);
  while (taken == 0 && claim_part(context, worker));
  if (context->schedule == LOOP_DEALT)
    *first = worker->source + *first * context->parts;
  return taken;
}

/* A call of its own, so that the draws of one who is alone save no registers for it; as
   are looks at the clock.  */
static __attribute__((noinline)) uint32_t take(struct loop_context *context,
                                               struct loop_worker *worker, uint32_t *first)
{
  uint32_t grain = context->grain, taken;
  if (is_claimed_by_part(context))
    return take_claimed(context, worker, first);
  do
    taken = context->schedule == LOOP_SHRINKING
                ? ghcomp_range_take(&worker->part, grain, UINT32_MAX, 2, first)
                : ghcomp_range_take(&worker->part, grain, grain, 1, first);
  while (taken == 0 && steal(context, worker));
  return taken;
}

/* The end cannot overflow: it is counted from the last full chunk.  */
static int64_t end_of(const struct loop_context *context, uint64_t chunk)
{
  return chunk >= context->chunks ? context->count : (int64_t)chunk * context->chunk;
}

/* Every few milliseconds.  A thread of the RTS that comes back from a system call,
   as the one that keeps the time of timeouts, waits for a Capability without
   saying so; the RTS itself would give it one at the end of the time slice.  The
   clock is the coarse one, and is looked at the more rarely the shorter chunks
   are.  */
enum { MOST_DRAWS = 64 };

static __attribute__((noinline)) bool clock_went_on(struct loop_worker *worker)
{
  int64_t tick = (int64_t)clock_coarse_ns();
  bool later = tick != worker->tick;
  worker->tick = tick;
  worker->draws = 0;
  worker->next_look = later ? 1 : worker->next_look * 2;
  if (worker->next_look > MOST_DRAWS)
    worker->next_look = MOST_DRAWS;
  return later;
}

static bool is_time_to_look(struct loop_worker *worker)
{
  return unlikely(++worker->draws >= worker->next_look) && clock_went_on(worker);
}

/* The heap limit that the RTS clears in order to stop a Haskell thread: the thread's
   next allocation takes it to the scheduler, and from there back to where it was,
   before all others of its Capability, unless its time slice is over.  */
static _Atomic(StgPtr) *heap_limit(void)
{
  CapabilityPublic *own = (CapabilityPublic *)rts_unsafeGetMyCapability();
  return (_Atomic(StgPtr) *)&own->r.rHpLim;
}

static bool is_wanted_elsewhere(void)
{
  return load_relaxed(heap_limit()) == NULL;
}

bool ghcomp_loop_is_wanted_elsewhere(void)
{
  return is_wanted_elsewhere();
}

/* Never twice without a chunk between: to a thread that shares its Capability with
   others that compute, every look at the clock says that it is later.  */
static bool is_to_make_room(struct loop_worker *worker)
{
  if (worker->made_room)
    worker->made_room = false;
  else if (is_wanted_elsewhere())
    worker->made_room = true;
  else if (is_time_to_look(worker)) {
    store_relaxed(heap_limit(), NULL);
    worker->made_room = true;
  }
  return worker->made_room;
}

static bool has_become_long(struct loop_context *context)
{
  return context->parts > 1 && context->first_alone != 0 &&
         context->first_alone < context->chunks && --context->draws_alone == 0 && is_long(context);
}

/* To the one who is alone the loop ends when it has become long: see ghcomp_loop_close.  */
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

/* Of a very long loop, whose chunks are longer than they are to be: what is handed out.  */
static __attribute__((noinline)) int64_t next_slice(const struct loop_context *context,
                                                    struct loop_worker *worker)
{
  int64_t first = worker->sliced, left = worker->slices_end - first;
  worker->sliced = worker->last = left < context->slice ? worker->slices_end : first + context->slice;
  return first;
}

static __attribute__((noinline)) int64_t first_slice(const struct loop_context *context,
                                                     struct loop_worker *worker, int64_t first)
{
  worker->sliced = first;
  worker->slices_end = worker->last;
  return next_slice(context, worker);
}

/* The next chunk's first iteration, with its end in worker->last; or LOOP_DONE; or
   LOOP_MAKE_ROOM: the Haskell thread is to allocate something and ask again.  */
int64_t ghcomp_loop_next(struct loop_worker *worker)
{
  struct loop_context *context = worker->context;
  uint32_t first = 0;
  if (load_relaxed(&context->cancelled))
    return LOOP_DONE;
  if (is_to_make_room(worker))
    return LOOP_MAKE_ROOM;
  if (unlikely(worker->sliced != worker->slices_end))
    return next_slice(context, worker);
  uint32_t taken = take_if_alone(context, worker, &first);
  if (taken == 0)
    return LOOP_DONE;
  worker->chunk_number = first;
  worker->last = end_of(context, (uint64_t)first + taken);
  int64_t begin = (int64_t)first * context->chunk;
  return likely(context->slice == 0) ? begin : first_slice(context, worker, begin);
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

/* ---------------------------------------------------------------------- end */

/* Nobody enters any more.  Returns how many are inside; or LOOP_WANTS_HELP: the caller was
   alone, and is to show the job, call ghcomp_loop_admit, and go on.  */
uint32_t ghcomp_loop_close(struct loop_context *context)
{
  if (context->alone)
    return context->wants_help ? LOOP_WANTS_HELP : 0;
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  return or_acquire(&context->state, LOOP_CLOSED) & LOOP_INSIDE;
}

enum { SPIN_ROUNDS = 2000 }; /* about 30 microseconds */

/* Waits a little for those inside; returns how many are left.  Gives up at once
   when the RTS wants the Capability: a helper may need it for a collection.  */
uint32_t ghcomp_loop_spin(struct loop_context *context)
{
  uint32_t inside;
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  for (unsigned i = 0; (inside = load_acquire(&context->state) & LOOP_INSIDE) != 0 &&
                       i < SPIN_ROUNDS && !ghcomp_loop_is_wanted_elsewhere(); i++)
    cpu_relax();
  return inside;
}

/* The caller is about to sleep; whoever leaves last is told.  Returns how many are
   inside: if nobody is, nobody will wake it.  */
uint32_t ghcomp_loop_will_sleep(struct loop_context *context)
{
  /* Pairs with the subtraction in ghcomp_loop_leave.  */
  return or_acq_rel(&context->state, LOOP_WAITER) & LOOP_INSIDE;
}
