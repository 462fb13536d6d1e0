/* Threads that ask, wait and have regions, with simulated time: each is a context that computes, sleeps, or waits for a processor, for
   as long as it says.  One event comes after the other.  What the storey asks of the system comes from here.  */
#ifndef UNIT_TURN_SIMULATION_H
#define UNIT_TURN_SIMULATION_H

#include "admission/queue.h"
#include "admission/turn.h"
#include "base/cycles.h"
#include "base/stats.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "settings/icv.h"
#include "wait/parking.h"
#include "wait/running.h"
#include "expect.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FOR_EVER UINT64_MAX
#define CALL_NS 100000u   /* a region of those that wait */

/* ------------------------------------------------------------------ simulation */

enum { MOST_ACTORS = 102, STACK = 64 << 10 };

struct actor {
  ucontext_t context;
  struct thread *thread;
  void (*body)(struct actor *self);
  enum does { COMPUTES, SLEEPS, IS_PREEMPTED } does;
  uint64_t since, until, computed;      /* nanoseconds */
  const _Atomic uint32_t *word;         /* it sleeps there */
  bool is_over, spins;
  unsigned questions;                   /* the case ends when all have had the answers to as many as they shall ask */
  uint64_t longest_wait, waited;        /* nanoseconds, of its questions */
  uint64_t random;
};

static struct actor actors[MOST_ACTORS], *running;
static unsigned actor_count;
static ucontext_t scheduler;
static uint64_t now_ns = 1000000000;
static unsigned looks; /* at the clock of a thread that has the turn */
static bool clocks_fail, spins_for_lock; /* the library has a lock */
static bool lock_held;
static bool knows_calls; /* how many regions a call has */
static unsigned processors = 1, wants = 1; /* threads of a region: the answer to a question */

unsigned ghcomp_machine_processors(void)
{
  return processors;
}

uint64_t ghcomp_turns_now(void)
{
  return cycles_in(now_ns);
}

uint64_t ghcomp_machine_thread_computed(int number)
{
  const struct actor *a = &actors[number - 1];
  looks++;
  return clocks_fail ? 0 : a->computed + (a->does == COMPUTES ? now_ns - a->since : 0);
}

bool ghcomp_machine_thread_runs(int number)
{
  return actors[number - 1].does != SLEEPS;
}

/* The running one does this from now on.  */
static void go_on(enum does does, uint64_t nanoseconds)
{
  struct actor *self = running;
  self->does = does;
  self->since = now_ns;
  self->until = nanoseconds < FOR_EVER - now_ns ? now_ns + nanoseconds : FOR_EVER;
  swapcontext(&self->context, &scheduler);
  self->computed += does == COMPUTES ? now_ns - self->since : 0;
  self->since = now_ns;
}

void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds)
{
  if (load_relaxed(word) != expected)
    return;
  running->word = word;
  go_on(SLEEPS, nanoseconds);
  running->word = NULL;
}

void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected)
{
  ghcomp_park_wait_for(word, expected, FOR_EVER);
}

bool ghcomp_park_wake(_Atomic uint32_t *word, int count)
{
  (void)count;
  for (unsigned i = 0; i < actor_count; i++)
    if (actors[i].word == word)
      actors[i].until = now_ns;
  return true;
}

static void begin(void)
{
  running->body(running);
  ghcomp_turn_abandon(running->thread);
  running->is_over = true;
  go_on(SLEEPS, FOR_EVER);
}

static struct actor *add_actor(void (*body)(struct actor *self), unsigned questions)
{
  struct actor *a = &actors[actor_count++];
  a->thread = aligned_alloc(CACHELINE, sizeof *a->thread);
  memset((void *)a->thread, 0, sizeof *a->thread);
  store_relaxed(&a->thread->kernel_thread, (int)actor_count);
  a->body = body;
  a->questions = questions;
  a->computed = 1000000;
  a->random = actor_count;
  a->until = now_ns + actor_count * 1000; /* one after the other */
  getcontext(&a->context);
  a->context.uc_stack = (stack_t){.ss_sp = malloc(STACK), .ss_size = STACK};
  makecontext(&a->context, begin, 0);
  ghcomp_turn_count_masters(1);
  return a;
}

static unsigned questions_left(void)
{
  unsigned left = 0;
  for (const struct actor *a = actors; a < actors + actor_count; a++)
    left += a->questions;
  return left;
}

static struct actor *next_to_run(void)
{
  struct actor *next = actors;
  for (struct actor *a = actors; a < actors + actor_count; a++)
    next = a->until < next->until ? a : next;
  return next->until != FOR_EVER ? next : NULL;
}

static void simulate(void)
{
  while (questions_left() != 0 && (running = next_to_run()) != NULL) {
    now_ns = running->until > now_ns ? running->until : now_ns;
    swapcontext(&scheduler, &running->context);
  }
  EXPECT_NUMBER(questions_left(), 0); /* nobody waits for ever */
}

static uint64_t longest_wait(void)
{
  uint64_t longest = 0;
  for (unsigned i = 0; i < actor_count; i++)
    longest = actors[i].longest_wait > longest ? actors[i].longest_wait : longest;
  return longest;
}

static uint64_t waits(void)
{
  uint64_t count = 0;
  for (unsigned i = 0; i < actor_count; i++)
    count += load_relaxed(&actors[i].thread->waiter.counters.count[STAT_TURNS_WAITED]);
  return count;
}

static uint64_t waited(void)
{
  uint64_t all = 0;
  for (unsigned i = 0; i < actor_count; i++)
    all += actors[i].waited;
  return all;
}

/* Xorshift (Marsaglia 2003).  */
static uint64_t random_below(struct actor *self, uint64_t limit)
{
  self->random ^= self->random << 13;
  self->random ^= self->random >> 7;
  self->random ^= self->random << 17;
  return self->random % limit;
}

/* -------------------------------------------------------------- calls of a library */

static const char place, place_of_others, own_places[MOST_ACTORS], body_function;
static struct library *library;
static unsigned most_skipped; /* so many questions of one place take no turn */

static void ask_at(struct actor *self, const void *at)
{
  uint64_t asked = now_ns;
  ghcomp_turn_ask(self->thread, at, wants);
  uint64_t wait = now_ns - asked;
  unsigned skips = load_relaxed(&ghcomp_site_of(at)->skips);
  most_skipped = skips > most_skipped ? skips : most_skipped;
  self->longest_wait = wait > self->longest_wait ? wait : self->longest_wait;
  self->waited += wait;
  self->questions -= self->questions != 0;
}

static void take_lock(void)
{
  while (lock_held) {
    running->spins = true;
    go_on(COMPUTES, FOR_EVER);
    running->spins = false;
  }
  lock_held = true;
}

static void release_lock(void)
{
  lock_held = false;
  for (struct actor *a = actors; a < actors + actor_count; a++)
    if (a->spins)
      a->until = now_ns;
}

static void compute_region(struct actor *self, enum does does, uint64_t nanoseconds)
{
  if (spins_for_lock)
    take_lock();
  bool told = ghcomp_turn_begin(self->thread, &body_function);
  ghcomp_running_begin(1);
  go_on(does, nanoseconds);
  ghcomp_running_end(1);
  if (told)
    ghcomp_turn_end(self->thread);
  if (spins_for_lock)
    release_lock();
}

static void call(struct actor *self)
{
  ask_at(self, &place);
  compute_region(self, COMPUTES, CALL_NS);
}

/* Another thread has called the library from the usual place, with one region, which took so long.  */
static void make_known(uint64_t took)
{
  library = ghcomp_library_of(&body_function);
  knows_calls = true;
  for (const char *at = &place;; at = &place_of_others) {
    struct site *site = ghcomp_site_of(at);
    store_relaxed(&site->library, library);
    store_relaxed(&site->regions, 1);
    if (at == &place_of_others)
      break;
  }
  store_relaxed(&library->took, (uint32_t)cycles_in(took));
  store_relaxed(&library->ended, cycles_in(now_ns));
}

static void lock_is_seen(void)
{
  ghcomp_turns_lock();
  ghcomp_library_saw_lock(library);
  ghcomp_turns_unlock(NULL);
}

#endif
