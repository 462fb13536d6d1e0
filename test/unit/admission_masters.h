/* Masters for the tests of turns.  The capacity is four.  Haskell threads, the state of blocked threads, their
   processor time and their sleeps are simulated, and some cases stop the time.  */
#ifndef GHCOMP_TEST_ADMISSION_MASTERS_H
#define GHCOMP_TEST_ADMISSION_MASTERS_H

#include "admission/admission.h"
#include "admission/queue.h"
#include "base/cycles.h"
#include "base/stats.h"
#include "state/thread.h"
#include "expect.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

static _Atomic uint64_t standing; /* the time, if it stands still; else 0 */

uint64_t ghcomp_admission_now(void)
{
  uint64_t now = load_relaxed(&standing);
  return now != 0 ? now : cycles_now();
}

bool ghcomp_stats_timed;
struct settings ghcomp_settings = {.wait_policy = -1};
static _Atomic unsigned busy;
static _Atomic bool quota;
static _Atomic bool blocked;
static _Atomic uint64_t computed; /* by each thread */
static _Atomic uint64_t sleeps;   /* of each thread */
static _Atomic unsigned process_share = 100; /* percent of what the four processors offer; while the time stands still in between */
static _Atomic uint64_t process_computed;    /* nanoseconds */

unsigned ghcomp_icv_default_threads(void)
{
  return 4;
}

unsigned ghcomp_machine_processors(void)
{
  return 4;
}

bool ghcomp_machine_has_quota(void)
{
  return load_relaxed(&quota);
}

unsigned ghcomp_substrate_host_busy(void)
{
  return load_relaxed(&busy);
}

bool ghcomp_machine_thread_runs(int number)
{
  (void)number;
  return !load_relaxed(&blocked);
}

uint64_t ghcomp_machine_thread_computed(int number)
{
  (void)number;
  return load_relaxed(&computed);
}

uint64_t ghcomp_machine_process_computed(void)
{
  return load_relaxed(&standing) != 0 ? load_relaxed(&process_computed) : 4 * cycles_to_ns(cycles_now());
}

uint64_t ghcomp_machine_thread_sleeps(void)
{
  return load_relaxed(&sleeps);
}

/* The calling thread's slice, as the system would have it.  */
#define SYSTEM_SLICE 2800000u
static _Atomic unsigned slices_shortened, slices_restored, slices_dropped;
static _Atomic bool slices_refused;

uint64_t ghcomp_machine_shorten_slice(void)
{
  add_relaxed(&slices_shortened, 1);
  return load_relaxed(&slices_refused) ? 0 : SYSTEM_SLICE;
}

void ghcomp_machine_drop_short_slice(void)
{
  add_relaxed(&slices_dropped, 1);
}

void ghcomp_machine_set_slice(uint64_t nanoseconds)
{
  EXPECT_NUMBER(nanoseconds, SYSTEM_SLICE);
  add_relaxed(&slices_restored, 1);
}

/* Threads that find the queue's lock held ask for their crew: they have none.  */
static inline struct crew *no_crew(struct waiter *self)
{
  (void)self;
  return NULL;
}

static const struct crew_kind no_crews = {.of = no_crew};

static struct thread masters[6];
static struct team team = {.size = 1, .within_processors = true, .counted_threads = 3};
static struct member member = {.team = &team};

struct counters *ghcomp_stats_first(void)
{
  return &masters[0].waiter.counters;
}

static inline void make_masters(void)
{
  for (int i = 0; i < 6; i++) {
    masters[i].kernel_thread = i + 1;
    masters[i].member = &member;
    masters[i].waiter.counters.next = i < 5 ? &masters[i + 1].waiter.counters : NULL;
  }
}

static inline unsigned enter(unsigned master, unsigned wanted, bool exact)
{
  masters[master].turn.untimed_left = 0; /* never brief */
  masters[master].turn.prompt = 0;       /* no short turns */
  struct admitted got = ghcomp_admission_enter(&masters[master], wanted, exact, false);
  EXPECT_NUMBER(got.counted, got.threads);
  return got.threads;
}

static inline void leave(unsigned master, unsigned counted)
{
  ghcomp_admission_leave(&masters[master], counted);
}

static _Atomic unsigned begun, order[6];

static inline void *master_runs(void *argument)
{
  unsigned master = (unsigned)(uintptr_t)argument;
  ghcomp_self_becomes(&masters[master]);
  unsigned threads = enter(master, 4, master % 2 == 0);
  EXPECT_NUMBER(threads, 4);
  store_relaxed(&order[add_seq_cst(&begun, 1)], master);
  leave(master, threads);
  return NULL;
}

static inline bool waits(unsigned master)
{
  return load_seq_cst(&masters[master].waiter.park) == PARKED;
}

/* Its region waits when this returns.  */
static inline pthread_t start_waiting(unsigned master)
{
  pthread_t thread;
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)master);
  while (!waits(master))
    sched_yield();
  return thread;
}

static inline void forget_questions(unsigned master)
{
  memset(masters[master].turn.questions, 0, sizeof masters[master].turn.questions);
  masters[master].turn.questions_forgotten = 0;
}

static inline uint64_t time_passes(unsigned ns)
{
  add_relaxed(&process_computed, (uint64_t)ns * 4 * load_relaxed(&process_share) / 100);
  store_relaxed(&standing, ghcomp_admission_now() + cycles_in(ns));
  return load_relaxed(&standing);
}

/* From a place in the program.  */
static inline void ask_at(unsigned master, const void *caller)
{
  masters[master].turn.untimed_left = 0; /* never brief */
  ghcomp_admission_ask(&masters[master], 4, caller);
}

static inline void ask(unsigned master, unsigned threads)
{
  masters[master].turn.untimed_left = 0; /* never brief */
  ghcomp_admission_ask(&masters[master], threads, &masters);
}

/* A master has the turn from its question until a moment after the region.  */

static inline void set_up_masters(void)
{
  ghcomp_crew_kind = &no_crews;
  make_masters();
  ghcomp_admission_count_masters(4);
}

#endif
