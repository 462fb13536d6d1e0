/* A context of Haskell loops, and the Capability of all threads.  */
#ifndef WEAK_LOOP_CONTEXT_H
#define WEAK_LOOP_CONTEXT_H

#include "cbits/Loop.h"
#include "made_team.h"

#include <Rts.h>

static StgWord heap;
Capability MainCapability = {.r = {.rHpLim = &heap}};
uint32_t enabled_capabilities = 2;

Capability *rts_unsafeGetMyCapability(void)
{
  return &MainCapability;
}

unsigned ghcomp_host_capabilities(void)
{
  return 2;
}

unsigned ghcomp_host_busy(unsigned unknown)
{
  return unknown;
}

static struct loop_context *make_loop_context(unsigned capacity)
{
  struct loop_context *made = weak_alloc(sizeof *made + capacity * sizeof made->worker[0]);
  made->parts.part = weak_alloc(capacity * sizeof made->parts.part[0]);
  made->capacity = made->parts.count = capacity;
  made->state = STATE_CLOSED;
  for (unsigned i = 0; i < capacity; i++) {
    made->worker[i].context = made;
    made->worker[i].number = i;
  }
  return made;
}

/* An `MVar ()` on which one thread sleeps.  */
static _Atomic uint32_t bell;

static __attribute__((unused)) void ring(void)
{
  if (swap_acq_rel_at(0, &bell, 1) == 0)
    weak_futex_wake(&bell, 1);
}

static __attribute__((unused)) void await_ring(void)
{
  while (swap_acq_rel_at(0, &bell, 0) == 0)
    weak_futex_wait(&bell, 0);
}

#endif
