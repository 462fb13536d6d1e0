/* Regions on a hand-made team whose workers run worker.c.  */
#ifndef WEAK_REGION_H
#define WEAK_REGION_H

#include "team/pool.h"
#include "threads/substrate.h"

#include <limits.h>

static struct team *outer;
static void *(*worker_body)(void *);

static int keep_body(void *(*body)(void *), void *argument, size_t stack)
{
  (void)argument, (void)stack;
  worker_body = body;
  return 0;
}

static void serve_as(unsigned number)
{
  (void)number;
}

static struct substrate substrate = {.spawn = keep_body, .serve_as = serve_as};

const struct substrate *ghcomp_substrate_current(void)
{
  return &substrate;
}

bool ghcomp_thread_prepare(struct thread *t)
{
  t->waiter.park = AWAKE;
  return true;
}

void ghcomp_thread_retire(struct thread *t)
{
  (void)t;
}

unsigned ghcomp_worker_name_take(void)
{
  return 1;
}

void ghcomp_worker_name_give_back(unsigned number)
{
  (void)number;
}

void ghcomp_worker_name_show(struct thread *t)
{
  (void)t;
}

void ghcomp_spread_suspect(struct thread *t, struct team *of)
{
  (void)t, (void)of;
}

size_t ghcomp_spawn_usable(size_t stack_size)
{
  return stack_size;
}

size_t ghcomp_stack_left_elsewhere(struct thread *t, uintptr_t here)
{
  (void)t, (void)here;
  return 1 << 20;
}

/* Gives the team's master an outer team.  */
static void make_outer(void)
{
  outer = weak_alloc(sizeof *outer + sizeof outer->members[0]);
  outer->size = outer->heads = outer->capacity = 1;
  outer->members[0].team = outer;
  outer->members[0].thread = thread[0];
  outer->members[0].task = &outer->members[0].implicit;
  outer->members[0].implicit.team = outer;
  outer->members[0].implicit.icv = &outer->own_icv;
  outer->own_icv.thread_limit = UINT_MAX;
  team->parent = &outer->members[0];
}

static __attribute__((unused)) void make_region(unsigned size)
{
  make_members(size);
  make_outer();
  thread[0]->member = team->parent;
  for (unsigned i = 1; i < size; i++)
    ghcomp_worker_start(thread[i], 0);
}

static __attribute__((unused)) void run_worker(struct thread *self)
{
  worker_body(self);
}

/* Does what ghcomp_team_fork does on a hot team.  */
static __attribute__((unused)) void begin_region(struct thread *self, void (*fn)(void *), void *data)
{
  team->fn = fn;
  team->data = data;
  team->joined_when_all += team->worker_heads;
  self->member = &team->members[0];
}

static __attribute__((unused)) void call_workers(void)
{
  struct mail_content content = {.region_number = team->region_number, .joined_when_all = team->joined_when_all};
  for (unsigned i = 1; i < team->size; i++)
    ghcomp_worker_assign(team->members[i].thread, &team->members[i], content);
}

#endif
