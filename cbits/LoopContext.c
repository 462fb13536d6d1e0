/* Contexts of Haskell loops: one for each loop that is being executed, kept for the next one.

   The caller of a loop is a Haskell thread, which moves between OS threads.  So a loop belongs to a
   context, not to an OS thread.

   Invariant: between ghcomp_loop_take and ghcomp_loop_give a context belongs to one caller.
   Contexts are never released, because helpers of an earlier loop may still look at them.  */
#include "Loop.h"

#include "base/memory.h"
#include "machine/process.h"
#include "machine/thread.h"
#include "threads/host.h"
#include "wait/lock.h"

#include <Rts.h>

#include <string.h>

/* Contexts that are not in use.  The first ones are found without a lock; each Capability begins at
   an entry of its own.  */
#define FREE_ENTRIES 64
static _Atomic(struct loop_context *) free_contexts[FREE_ENTRIES];

static lock_word lock;
static struct loop_context *more_free_contexts; /* guarded by lock */
static _Atomic(struct loop_context *) all;      /* grows only */

static unsigned own_entry(void)
{
  return (unsigned)((uintptr_t)rts_unsafeGetMyCapability() >> 12) % FREE_ENTRIES;
}

static void in_child(void)
{
  static const lock_word fresh = LOCK_FREE;
  memcpy(&lock, &fresh, sizeof lock);
  for (struct loop_context *c = load_relaxed(&all); c != NULL; c = c->next) {
    and_relaxed(&c->state, ~STATE_INSIDE);
    if (!ghcomp_loop_is_free(c))
      ghcomp_loop_needs_no_watch(c); /* its caller does not exist here */
    ghcomp_loop_forget_helpers(c);
  }
  ghcomp_loop_forget_all_helpers();
  ghcomp_loop_forget_watcher();
}

static void watch_forks(void)
{
  ghcomp_machine_in_forked_child(in_child);
}

/* The number of workers that a context has room for.  */
enum { LEAST_CAPACITY = 64 };

/* The parts are behind the workers.  */
static struct loop_context *new_context(unsigned capacity)
{
  struct loop_context *context;
  size_t size = sizeof *context + capacity * (sizeof context->worker[0] + sizeof(struct own_part));
  context = ghcomp_memory_get_lines(size);
  context->capacity = capacity;
  context->parts.part = (struct own_part *)&context->worker[capacity];
  store_relaxed(&context->state, STATE_CLOSED);
  for (unsigned i = 0; i < capacity; i++) {
    context->worker[i].context = context;
    context->worker[i].number = i;
  }
  return context;
}

static struct loop_context *make_context(void)
{
  static struct once once = ONCE_INIT;
  ghcomp_machine_once(&once, watch_forks);
  unsigned capacity = LEAST_CAPACITY;
  while (capacity < ghcomp_host_capabilities())
    capacity *= 2;
  struct loop_context *context = new_context(capacity);
  struct loop_context *first = load_relaxed(&all);
  do
    context->next = first;
  while (!cas_seq_cst(&all, &first, context)); /* for ghcomp_watch_will_sleep, as in take_free */
  return context;
}

struct loop_context *ghcomp_loop_contexts(void)
{
  return load_seq_cst(&all); /* pairs with the compare-and-swap in make_context */
}

bool ghcomp_loop_is_free(struct loop_context *context)
{
  bool found = load_seq_cst(&context->in_more_free);
  for (unsigned i = 0; i < FREE_ENTRIES && !found; i++)
    found = load_seq_cst(&free_contexts[i]) == context;
  return found;
}

static struct loop_context *take_more_free(void)
{
  ghcomp_lock_acquire(&lock);
  struct loop_context *context = more_free_contexts;
  if (context != NULL) {
    more_free_contexts = context->next_free;
    store_seq_cst(&context->in_more_free, false);
  }
  ghcomp_lock_release(&lock);
  return context;
}

static struct loop_context *take_free(void)
{
  unsigned own = own_entry();
  for (unsigned i = 0; i < FREE_ENTRIES; i++) {
    _Atomic(struct loop_context *) *entry = &free_contexts[(own + i) % FREE_ENTRIES];
    struct loop_context *context = load_relaxed(entry);
    /* Pairs with the compare-and-swap in ghcomp_loop_give; sequentially consistent for ghcomp_loop_is_free.  */
    if (context != NULL && (context = swap_seq_cst(entry, NULL)) != NULL)
      return context;
  }
  return take_more_free();
}

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

/* A context that is not in use.  The job of a new context is NULL.  A context that was made for
   fewer Capabilities than there are now is not used again.  */
struct loop_context *ghcomp_loop_take(void)
{
  struct loop_context *context = take_free();
  while (unlikely(context != NULL && context->capacity < enabled_capabilities))
    context = take_free();
  return context != NULL ? context : make_context();
}

void ghcomp_loop_give(struct loop_context *context)
{
  if (context->predicted_alone != 0 && !load_relaxed(&context->cancelled))
    ghcomp_loop_judge_help(context);
  ghcomp_loop_end_watch(context);
  unsigned own = own_entry();
  for (unsigned i = 0; i < FREE_ENTRIES; i++) {
    struct loop_context *nobody = NULL;
    if (cas_release(&free_contexts[(own + i) % FREE_ENTRIES], &nobody, context))
      return;
  }
  ghcomp_lock_acquire(&lock);
  context->next_free = more_free_contexts;
  more_free_contexts = context;
  store_relaxed(&context->in_more_free, true);
  ghcomp_lock_release(&lock);
}

struct loop_worker *ghcomp_loop_worker(struct loop_context *context, int64_t number)
{
  return &context->worker[number];
}

#pragma GCC visibility pop
