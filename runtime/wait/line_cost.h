/* How long a cache line needs to come from another processor, as this thread measures it.

   Processors differ by a factor of ten, and so does one virtual machine within an hour.  A waiting
   thread needs to know, because each look at a word takes its line from the thread that is about to
   write it.  A thread that looks again at once makes the writer slower; a thread that looks much
   later notices the change late.

   In one of SAMPLE_EVERY waits the looks are timed.  A look that finds the word changed, after a
   look that did not, has fetched the line from the writer.  Each thread keeps an average of its
   own, in which a look that was interrupted counts for little.  Between two looks a thread pauses
   for twice that time.  */
#ifndef GHCOMP_WAIT_LINE_COST_H
#define GHCOMP_WAIT_LINE_COST_H

#include "base/cycles.h"
#include "wait/parking.h"

enum { SAMPLE_EVERY = 16, LINE_COST_MOST_NS = 400 };

/* Times the looks of one wait, if it is one of those that are timed.  */
struct look_timer {
  struct waiter *self;
  bool timed;
  bool missed; /* the last look found nothing */
  uint64_t began;
};

static inline struct look_timer ghcomp_look_timer_start(struct waiter *self)
{
  return (struct look_timer){.self = self, .timed = ++self->sampled_waits % SAMPLE_EVERY == 0};
}

/* Before a look.  */
static inline void ghcomp_look_begin(struct look_timer *timer)
{
  if (unlikely(timer->timed))
    timer->began = cycles_now();
}

static inline void note_line_cost(struct waiter *self, uint64_t took)
{
  uint64_t most = cycles_in(LINE_COST_MOST_NS);
  self->line_cost = (uint32_t)((self->line_cost * 3 + (took < most ? took : most)) / 4);
  self->look_pauses = ghcomp_parking_pauses_in(self->line_cost * 2);
}

/* After the look; returns `found`.  */
static inline bool ghcomp_look_end(struct look_timer *timer, bool found)
{
  if (likely(!timer->timed))
    return found;
  if (found && timer->missed)
    note_line_cost(timer->self, cycles_after_loads() - timer->began);
  timer->missed = !found;
  return found;
}

/* The value for `pauses_per_look` of a wait.  */
static inline unsigned ghcomp_look_pauses(const struct waiter *self)
{
  return self != NULL && self->look_pauses != 0 ? self->look_pauses : 1;
}

#endif
