/* How many threads a region has: what was requested, what the limits allow, and what is free.  */
#include "team/fork.h"

#include "machine/processors.h"
#include "settings/icv.h"
#include "team/share.h"
#include "threads/substrate.h"
#include "wait/running.h"

/* A requested size is given, unless the user has set dyn-var.  The default of dyn-var does not
   reduce it.  */
static bool may_be_smaller(const struct icv *icv, unsigned requested)
{
  bool asked = requested != 0 || icv->nthreads != 0;
  return asked ? icv->dynamic == DYNAMIC_TRUE : ghcomp_icv_is_dynamic(icv);
}

static unsigned limit_dynamic(struct member *parent, unsigned threads)
{
  unsigned processors = ghcomp_icv_default_threads();
  unsigned allowed = parent->team->active_level == 0 ? processors : 1;
  return threads < allowed ? threads : allowed;
}

static const void *body_of(const struct region *region)
{
  return region->body != NULL ? region->body : (const void *)(uintptr_t)region->fn;
}

/* A library asks once and may start many regions (OpenBLAS's LAPACK), in each of which threads wait for
   as many others as the answer said.  */
static bool is_answered(const struct thread *self, const struct region *region)
{
  return self->turn.size_promised || body_of(region) == self->turn.answered_body;
}

struct admitted ghcomp_team_admit(struct thread *self, const struct region *region, unsigned allowed)
{
  bool answered = is_answered(self, region), exact = answered || !may_be_smaller(self->member->task->icv, region->threads);
  struct admitted all = {.threads = allowed, .exact = exact};
  if (unlikely(self->turn.size_promised)) {
    self->turn.size_promised = false;
    self->turn.answered_body = body_of(region);
  }
  if (self->member->team->level != 0 || region->detached || self->is_worker)
    return all;
  if (unlikely(answered))
    all.of_call = ghcomp_turn_begin(self, self->turn.answered_body);
  if (likely(exact && !ghcomp_turn_has_others()))
    return all;
  if (!exact)
    all.threads = ghcomp_team_share(allowed, ghcomp_icv_default_threads(), ghcomp_substrate_host_busy(), ghcomp_running_threads());
  all.counted = true;
  return all;
}

/* No system of today runs more threads than this in one process, and the descriptors of more
   threads would not fit into its memory.  */
#define LARGEST_TEAM 65536u

unsigned ghcomp_team_resolve_several(struct thread *self, const struct region *region, unsigned threads)
{
  struct member *parent = self->member;
  const struct icv *icv = parent->task->icv;
  if (parent->team->active_level >= icv->max_active_levels)
    return 1;
  if (threads == 0)
    threads = ghcomp_icv_default_threads();
  if (may_be_smaller(icv, region->threads) && !is_answered(self, region))
    threads = limit_dynamic(parent, threads);
  if (threads > icv->thread_limit)
    threads = icv->thread_limit;
  return threads < LARGEST_TEAM ? threads : LARGEST_TEAM;
}

unsigned ghcomp_team_resolve(struct thread *self, const struct region *region)
{
  return ghcomp_team_allowed(self, region);
}

unsigned ghcomp_team_ask(struct thread *self, const void *caller)
{
  if (unlikely(ghcomp_is_inside()))
    return 1; /* a handler asks, and its region would have one; see interrupted.c */
  unsigned threads = ghcomp_icv_max_threads(self->member->task->icv);
  if (self->member->team->level != 0 || self->is_worker)
    return threads;
  ghcomp_inside_begin();
  self->turn.size_promised = true;
  if (threads > 1)
    ghcomp_turn_ask(self, caller, threads);
  ghcomp_inside_end();
  return threads;
}
