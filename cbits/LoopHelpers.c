/* The workers that help with a Haskell loop.  They run a region whose master is not an OS thread,
   but the context's own descriptor, because the calling Haskell thread may continue under another
   OS thread.

   The caller does not wait for helpers to arrive: the loop is complete without them.  A late helper
   finds its loop closed, and departs; or it finds the next loop of the same context open, and helps
   with that loop.  All loops together have fewer attending helpers than there are Capabilities,
   because more could not run Haskell code.  See Loop.md.  */
#include "Loop.h"

#include "base/cycles.h"
#include "base/stats.h"
#include "machine/thread.h"
#include "task/taskgroup.h"
#include "team/pool.h"
#include "team/team.h"
#include "team/thread.h"
#include "threads/host.h"
#include "threads/substrate.h"
#include "wait/loop.h"

#include <Rts.h>

static _Atomic int helpers_attending;

/* ------------------------------------------------------------- a helper's life */

/* The helper departs, unless another loop was opened since `seen`.  */
static bool depart(struct loop_context *context, uint64_t *seen)
{
  /* Pairs with the addition in ghcomp_loop_call_helpers.  */
  uint64_t found = load_acquire(&context->attending);
  while (found >> 32 == *seen >> 32)
    if (cas_acquire(&context->attending, &found, found - 1)) {
      sub_relaxed(&helpers_attending, 1);
      return true;
    }
  *seen = found;
  return false;
}

/* The context's job is an action that masks exceptions from beginning to end, and does not throw
   (GHC.OpenMP.Loop.Run).  An exception that reaches its thread after that has no effect.  If the
   program ends meanwhile, the RTS interrupts the Haskell thread, and this thread has nothing left
   to do.

   Not rts_evalStableIOMain, which a foreign export uses, because then Ctrl-C would go to this
   thread.  */
static void call_haskell(struct loop_context *context)
{
  struct thread *self = ghcomp_self();
  uint64_t began = cycles_now();
  Capability *capability = rts_lock();
  ghcomp_count(&self->waiter.counters, STAT_HASKELL_CALLS);
  ghcomp_count_more(&self->waiter.counters, STAT_CAPABILITY_WAIT_NS, cycles_now() - began);
  rts_evalStableIO(&capability, context->job, NULL);
  SchedulerStatus status = rts_getSchedStatus(capability);
  if (status != Interrupted && status != Killed)
    rts_checkSchedStatus("a helper of a Haskell loop", capability);
  rts_unlock(capability);
  static _Atomic uint32_t never;
  while (status == Interrupted)
    ghcomp_park_wait(&never, 0);
}

/* Tasks that C code creates in the bodies are executed at once, because the team is detached.  A
   task that waits for an event may be left; this helper waits for it.  */
static void help(struct loop_context *context)
{
  struct thread *self = ghcomp_self();
  ghcomp_taskgroup_begin(self);
  call_haskell(context);
  ghcomp_taskgroup_end(self);
}

static void serve(void *data)
{
  struct loop_context *context = data;
  uint64_t seen = load_acquire(&context->attending);
  do
    if ((load_relaxed(&context->state) & STATE_CLOSED) == 0)
      help(context);
  while (!depart(context, &seen));
}

/* ------------------------------------------------------------------ calling */

/* How many helpers can be called at this moment, in addition to those that attend already.  */
static unsigned free_helpers(void)
{
  unsigned count = ghcomp_host_capabilities();
  int out = load_relaxed(&helpers_attending);
  if (count <= 1 || out >= (int)count - 1)
    return 0;
  unsigned room = count - 1 - (unsigned)(out > 0 ? out : 0), busy = ghcomp_host_busy(1);
  unsigned idle = busy < count ? count - busy : 0;
  return room < idle ? room : idle;
}

/* The team of the last helpers; NULL: there were none.  */
static const struct team *last_team(const struct loop_context *context)
{
  return context->master != NULL ? context->master->initial_team->members[0].hot : NULL;
}

/* The pool may take the worker away meanwhile, but a descriptor can always be read.  */
bool ghcomp_loop_helpers_are_awake(const struct loop_context *context)
{
  if ((uint32_t)load_relaxed(&context->attending) != 0)
    return true;
  const struct team *team = last_team(context);
  const struct thread *worker =
      team != NULL && team->workers != 0 ? team->members[1].thread : NULL;
  return worker != NULL && load_relaxed(&worker->waiter.park) == AWAKE;
}

struct region_wait {
  struct wait wait;
  const struct team *team;
};

static inline bool region_is_over(struct wait *wait)
{
  const struct team *team = ((struct region_wait *)wait)->team;
  return load_acquire(&team->state) != TEAM_BUSY; /* pairs with the store_release in ghcomp_team_join */
}

/* Until the second look at the clock.  */
static inline struct spin begin_briefly(struct wait *wait)
{
  return (struct spin){.self = wait->self, .awaited_processor = -1, .pauses_per_look = 1, .budget = 1};
}

static const struct wait_kind until_region_is_over = {
    .is_over = region_is_over, .begin_spin = begin_briefly, .when_spent = THEN_GIVE_UP};

/* True: the last region has ended.  All its helpers have departed, and the last one ends the region
   within a few instructions, unless it has lost its processor.  */
static bool has_ended(const struct loop_context *context)
{
  struct region_wait region = {.wait.self = ghcomp_waiter_self, .team = last_team(context)};
  return region.team == NULL || ghcomp_wait(&until_region_is_over, &region.wait);
}

/* A descriptor for the master, which keeps its team and workers.  NULL: there is no memory.  */
static struct thread *make_master(void)
{
  struct thread *master = ghcomp_reuse_try_thread();
  if (master == NULL)
    return NULL;
  if (!ghcomp_thread_prepare(master)) {
    ghcomp_thread_retire(master);
    return NULL;
  }
  ghcomp_pool_add_master();
  return master;
}

static unsigned fork_helpers(struct loop_context *context, unsigned helpers)
{
  if (context->master == NULL)
    context->master = make_master();
  if (context->master == NULL)
    return 0;
  ghcomp_substrate_start(ghcomp_host_capabilities());
  add_relaxed(&helpers_attending, (int)helpers);
  /* Before the fork, because helpers subtract from this count; the mail releases it.  */
  add_relaxed(&context->attending, helpers);
  struct region region = {
      .fn = serve, .data = context, .threads = helpers + 1, .detached = true};
  struct team *team = ghcomp_team_fork(context->master, &region);
  unsigned come = team->size - 1;
  ghcomp_team_leave(team, 0);
  unsigned missing = helpers - come;
  if (missing != 0) { /* threads that the system refused */
    sub_relaxed(&context->attending, missing);
    sub_relaxed(&helpers_attending, (int)missing);
  }
  return come;
}

unsigned ghcomp_loop_call_helpers(struct loop_context *context, unsigned wanted)
{
  /* A new generation: helpers that attend will see this loop (Loop.md).  Pairs with the loads in
     depart and serve.  What departed helpers did, has_ended acquires.  */
  uint64_t old = add_release(&context->attending, ATTENDING_GENERATION);
  unsigned attending = (unsigned)(uint32_t)old;
  if (attending != 0)
    return attending;
  unsigned free = free_helpers();
  if (free == 0 || !has_ended(context))
    return 0;
  return fork_helpers(context, wanted < free ? wanted : free);
}

/* ------------------------------------------------------------------ a forked child */

void ghcomp_loop_forget_helpers(struct loop_context *context)
{
  store_relaxed(&context->attending, 0);
  context->master = NULL; /* the threads of its team do not exist here */
}

void ghcomp_loop_forget_all_helpers(void)
{
  store_relaxed(&helpers_attending, 0);
}
