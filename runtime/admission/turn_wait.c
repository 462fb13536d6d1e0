/* How a thread waits for a turn, and when it takes the turn from a thread that does not use it.

   No thread spins here: the processors belong to the region that runs.  The first in the queue looks from time to time.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "base/stats.h"
#include "machine/thread.h"
#include "wait/loop.h"

/* A look interrupts a thread that computes, and its team waits for it.  So no thread looks before the turn should have come.  */
#define LOOK_NS (SERIES_NS + SERIES_NS / 2)

/* For each thread ahead, too, so that one thread at a time looks often.  */
static uint64_t next_look(uint64_t now, unsigned ahead)
{
  return now + cycles_in(LOOK_NS) * (ahead + 1);
}

struct turn_wait {
  struct wait wait;
  struct thread *self;
  struct library *library;
  uint64_t began, next_look, last_look; /* cycles */
  const struct thread *seen;         /* the holder at the last look */
  unsigned seen_doing;
  uint64_t at_last;                  /* nanoseconds that it had computed then */
  uint64_t passed;                   /* nanoseconds that it has computed or slept since the first look in this state */
  uint64_t seen_asked, in_call;      /* the holder's question; the same since the first look after it */
  bool moved;                        /* it has computed since the look before */
};

static inline bool has_come(struct wait *wait)
{
  return load_seq_cst(&((struct turn_wait *)wait)->self->turn.state) != TURN_WAITS; /* pairs with ghcomp_turns_give */
}

/* How long the holder may go on as it does, in nanoseconds that it computes or sleeps.  In a region: if the library has a lock,
   the first in the queue would spin for that lock otherwise, and make the region last longer.  */
static uint64_t allowed(const struct thread *holder, const struct library *library)
{
  if (load_relaxed(&holder->turn.state) == TURN_HELD)
    return library->keeps;
  uint64_t usual = cycles_to_ns((uint64_t)load_relaxed(&library->took) * library->patience);
  return usual > LONGEST_NS ? usual : LONGEST_NS;
}

/* How long the holder's whole call may last, in the same time: a thread may ask once and have regions for ever.  A place learns by the
   next question how many regions a call has.  The number until then only has to be one that first calls seldom exceed.  */
static uint64_t allowed_call(const struct thread *holder, const struct library *library)
{
  const struct site *site = holder->turn.at;
  unsigned known = site != NULL ? load_relaxed(&site->regions) : 0, regions = known != 0 ? known : AGAIN * AGAIN * AGAIN;
  uint64_t usual = cycles_to_ns(load_relaxed(&library->took)) * AGAIN * (regions < RAREST ? regions : RAREST);
  return usual > LONGEST_NS ? usual : LONGEST_NS;
}

/* The holder's time begins anew with each thing that it does; that of its call, with each question.  It passes while the holder
   computes or sleeps, and not while it waits for a processor.  A thread that sleeps may compute for moments: one that waits for
   Python's lock looks for it each 5 ms.  */
static void look_at(struct turn_wait *w, const struct thread *holder, uint64_t now)
{
  int kernel_thread = load_relaxed(&holder->kernel_thread);
  uint64_t known = ghcomp_machine_thread_computed(kernel_thread), computed = known != 0 ? known : cycles_to_ns(now);
  unsigned doing = 2 * holder->turn.uses + (load_relaxed(&holder->turn.state) == TURN_RUNS); /* in which region it is, or before which */
  bool new_call = w->seen != holder || w->seen_asked != w->library->asked, new = new_call || w->seen_doing != doing;
  uint64_t busy = computed - w->at_last, all = cycles_to_ns(now - w->last_look);
  bool sleeps = !new_call && all > 2 * busy && !ghcomp_machine_thread_runs(kernel_thread);
  uint64_t passed = new_call ? 0 : sleeps ? all : busy;
  w->passed = new ? 0 : w->passed + passed;
  w->in_call = new_call ? 0 : w->in_call + passed;
  w->moved = new || computed != w->at_last;
  w->seen = holder;
  w->seen_asked = w->library->asked;
  w->seen_doing = doing;
  w->at_last = computed;
  w->last_look = now;
}

/* Requires: the lock, and the calling thread is the first in the queue.  */
static void look(struct turn_wait *w, uint64_t now)
{
  struct library *library = w->library;
  const struct thread *holder = library->holder;
  /* If a region of the library has run since the holder asked, the holder may be spinning for the lock.  */
  bool may_spin = load_relaxed(&library->running) != 0 || load_relaxed(&library->ended) > library->asked;
  bool held = load_relaxed(&holder->turn.state) == TURN_HELD, unused = held && holder->turn.uses == 0 && !may_spin;
  look_at(w, holder, now);
  bool over = w->passed >= allowed(holder, library);
  if (!over && w->in_call < allowed_call(holder, library)) {
    bool leaves = held && holder->turn.uses != 0 && w->moved; /* and has a processor */
    w->next_look = leaves ? now + cycles_in(library->keeps) : w->next_look;
    return;
  }
  if (unused)
    ghcomp_site_wasted(holder->turn.at);
  if (!held && over)
    ghcomp_library_waited_in_vain(library);
  if (unused || load_relaxed(&library->lock) == LOCK_NONE)
    ghcomp_turns_open(library);
  else
    ghcomp_turns_seize(w->self);
}

static inline bool look_if_due(struct wait *wait)
{
  struct turn_wait *w = (struct turn_wait *)wait;
  uint64_t now = ghcomp_turns_now();
  if (now < w->next_look)
    return false;
  ghcomp_turns_lock();
  unsigned ahead = load_relaxed(&w->self->turn.state) == TURN_WAITS ? ghcomp_turns_ahead(w->self) : 1;
  w->next_look = next_look(now, ahead);
  if (ahead == 0)
    look(w, now);
  ghcomp_turns_unlock(NULL);
  return true;
}

static inline struct spin without_spinning(struct wait *wait)
{
  return (struct spin){.self = wait->self};
}

static inline void sleep_until_look(struct wait *wait)
{
  const struct turn_wait *w = (struct turn_wait *)wait;
  uint64_t now = ghcomp_turns_now();
  if (now < w->next_look)
    ghcomp_parking_sleep_for(wait->self, cycles_to_ns(w->next_look - now));
}

/* A thread that a leaving one has woken looks at once.  */
static inline bool look_soon(struct wait *wait)
{
  struct turn_wait *w = (struct turn_wait *)wait;
  w->next_look = ghcomp_turns_now();
  return false;
}

static const struct wait_kind until_turn = {.is_over = has_come, .do_other = look_if_due, .begin_spin = without_spinning,
                                            .sleep = sleep_until_look, .after_sleep = look_soon};

/* `turn.of` is the same library, but whoever gives the turn may be writing it.  */
void ghcomp_turns_wait(struct thread *self, struct library *library, unsigned ahead, bool soon)
{
  struct turn_wait w = {.wait.self = &self->waiter, .self = self, .library = library, .began = ghcomp_turns_now()};
  w.next_look = soon ? w.began : next_look(w.began, ahead);
  ghcomp_count(&self->waiter.counters, STAT_TURNS_WAITED);
  ghcomp_wait(&until_turn, &w.wait);
  ghcomp_count_more(&self->waiter.counters, STAT_TURN_WAIT_NS, ghcomp_turns_now() - w.began);
}
