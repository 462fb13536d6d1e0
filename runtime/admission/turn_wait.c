/* How a thread waits for its turn, and when it begins without one.  See admission.md.

   No thread spins here, because the processors belong to the running regions.  A thread looks
   around from time to time, and acts if it is the first in the queue.  */
#include "admission/queue.h"

#include "admission/admission.h"
#include "base/cycles.h"
#include "base/stats.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "settings/icv.h"
#include "state/thread.h"
#include "wait/loop.h"

/* A thread looks for blocked regions after LOOK_SOONEST, and then after twice the time each, up to
   LOOK_LATEST.  */
#define LOOK_SOONEST_NS 300000u
#define LOOK_LATEST_NS 4000000u
/* The same, if a thread that leaves has no processor.  */
#define LEAVING_LOOK_NS 200000u
/* How long a thread waits at most while no region ends.  For a region: LONGEST_NS; if more threads
   run than there is room for, four times as long for each further set of as many threads as there
   are processors, up to LONGEST_BESIDE_OTHERS_NS.  (The more regions run whose threads spin for
   each other, the more slowly they end.)  A thread in a question waits longer, because one more
   thread that spins for a library's lock slows all others: LONGEST_ASKING_NS; and
   LONGEST_CROWDED_NS if more threads run than there is room for.  */
#define LONGEST_NS 6000000u
#define LONGEST_BESIDE_OTHERS_NS 200000000u
#define LONGEST_ASKING_NS 50000000u
#define LONGEST_CROWDED_NS 2000000000u

static uint64_t last_progress; /* cycles: when the last region ended, or the queue opened; the queue's lock */

void ghcomp_admission_wait_note_end(void)
{
  last_progress = ghcomp_admission_now();
}

/* --------------------------------------------------------------- without a turn */

bool ghcomp_admission_somebody_computes(void)
{
  if (load_relaxed(&ghcomp_admission_starting) != 0)
    return true;
  for (const struct thread *t = ghcomp_thread_first(); t != NULL; t = ghcomp_thread_next(t)) {
    int kernel_thread = load_relaxed(&t->computing_thread);
    if (kernel_thread == ABOUT_TO_COMPUTE || (kernel_thread != 0 && ghcomp_machine_thread_runs(kernel_thread)))
      return true;
  }
  return false;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

unsigned ghcomp_admission_longest_of_region(void)
{
  unsigned longest = LONGEST_NS, processors = ghcomp_icv_default_threads();
  for (unsigned taken = ghcomp_admission_queue_taken(); taken > processors; taken -= processors) {
    longest *= 4;
    if (longest > LONGEST_BESIDE_OTHERS_NS)
      return LONGEST_BESIDE_OTHERS_NS;
  }
  return longest;
}

/* Requires: lock.  */
static uint64_t longest(const struct thread *self)
{
  if (!self->turn.in_question)
    return cycles_in(ghcomp_admission_longest_of_region());
  return cycles_in(ghcomp_admission_promise_is_crowded() ? LONGEST_CROWDED_NS : LONGEST_ASKING_NS);
}

/* The first thread in the queue, which has waited since `began`, takes the turns of threads that
   are late with them, or opens the queue if nothing else helps.  Returns whether a region may begin
   now.
   Requires: lock.  */
static bool makes_way(const struct thread *first, uint64_t began)
{
  uint64_t now = ghcomp_admission_now();
  if (ghcomp_admission_promise_revoke_late(now))
    return true;
  if (!ghcomp_admission_somebody_computes()) {
    ghcomp_admission_queue_open_past_blocked();
  } else if (now - latest(last_progress, began) >= longest(first)) {
    ghcomp_admission_queue_open_past_slow();
    last_progress = now;
  }
  return ghcomp_admission_queue_is_open();
}

static void look_around(struct thread *self, uint64_t began)
{
  ghcomp_admission_queue_lock();
  bool first = ghcomp_admission_queue_first() == self, helps = first && makes_way(self, began);
  /* Where no region ends, nobody else would find out that turns leave processors unused.  */
  bool unused = first && !self->turn.in_question && ghcomp_admission_share_is_small(true);
  ghcomp_admission_queue_unlock();
  if (unlikely(unused))
    ghcomp_admission_payoff_leaves_unused();
  if (helps)
    ghcomp_admission_queue_let_in();
}

/* ------------------------------------------------------------------------ waits */

struct turn_wait {
  struct wait wait;
  struct thread *self;
  uint64_t began, next_look, look_interval; /* cycles */
  unsigned ahead;                           /* threads, when it began */
  uint64_t leaving_until, seen_until;       /* the promise's; the same, at the last look */
};

static inline bool has_come(struct wait *wait)
{
  return load_seq_cst(&((struct turn_wait *)wait)->self->turn.threads) != WAITING; /* pairs with the swap in next_turn */
}

/* A look interrupts a thread that computes.  While a series lasts, workers look.  If each thread that
   was ahead computes a series, the turn comes before the time that is returned; 0: now is no series.  */
static inline uint64_t look_after_series(const struct turn_wait *w, uint64_t now)
{
  uint64_t series = load_relaxed(&ghcomp_admission_series_until);
  return series > now ? series + cycles_in(SERIES_NS) * (w->ahead + 1) : 0;
}

static inline void choose_next_look(struct turn_wait *w, uint64_t now, bool leaving)
{
  uint64_t after_series = look_after_series(w, now);
  w->look_interval = w->look_interval < cycles_in(LOOK_LATEST_NS) ? 2 * w->look_interval : w->look_interval;
  if (leaving)
    w->next_look = now + cycles_in(LEAVING_LOOK_NS);
  else if (after_series != 0)
    w->next_look = after_series;
  else
    w->next_look = now + w->look_interval;
}

/* Looks around, if it is time to.  */
static inline bool look_if_due(struct wait *wait)
{
  struct turn_wait *w = (struct turn_wait *)wait;
  uint64_t now = ghcomp_admission_now(), leaving = load_relaxed(&ghcomp_admission_promise_leaving_until);
  bool first = ghcomp_admission_queue_first() == w->self, next = first && leaving > w->seen_until;
  w->leaving_until = leaving;
  if (next && now <= leaving) {
    ghcomp_machine_yield(); /* the thread that leaves may be waiting for this processor */
  } else if (next) {
    look_around(w->self, w->began);
    w->seen_until = leaving; /* if that thread has not left, it has no processor */
    w->next_look = now + cycles_in(LEAVING_LOOK_NS);
  } else if (now >= w->next_look) {
    look_around(w->self, w->began);
    choose_next_look(w, now, first && leaving != 0);
  } else {
    return false;
  }
  return true;
}

/* The turn may be far away, and others compute.  */
static inline struct spin without_spinning(struct wait *wait)
{
  return (struct spin){.self = wait->self};
}

static inline void sleep_until_look(struct wait *wait)
{
  const struct turn_wait *w = (struct turn_wait *)wait;
  uint64_t now = ghcomp_admission_now();
  /* Pairs with the store in ghcomp_admission_promise_stay.  */
  if (load_seq_cst(&ghcomp_admission_promise_leaving_until) == w->leaving_until && now < w->next_look)
    ghcomp_parking_sleep_for(wait->self, cycles_to_ns(w->next_look - now));
}

static const struct wait_kind until_turn = {
    .is_over = has_come, .do_other = look_if_due, .begin_spin = without_spinning, .sleep = sleep_until_look};

unsigned ghcomp_admission_wait(struct thread *self, unsigned ahead)
{
  uint64_t began = ghcomp_admission_now(), interval = cycles_in(LOOK_SOONEST_NS);
  struct turn_wait turn = {.wait.self = &self->waiter, .self = self, .began = began, .look_interval = interval, .ahead = ahead};
  uint64_t after_series = look_after_series(&turn, began);
  turn.next_look = after_series != 0 ? after_series : began + interval * (ahead + 1);
  ghcomp_count(&self->waiter.counters, STAT_TURNS_WAITED);
  ghcomp_wait(&until_turn, &turn.wait);
  ghcomp_admission_handover_end(self);
  sub_relaxed(&ghcomp_admission_starting, 1);
  ghcomp_count_more(&self->waiter.counters, STAT_TURN_WAIT_NS, ghcomp_admission_now() - began);
  return load_relaxed(&self->turn.threads);
}
