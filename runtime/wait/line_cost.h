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

/* The looks of one wait.  */
struct looks {
  struct waiter *self;
  bool timed;
  bool missed; /* the last look found nothing */
  uint64_t began;
};

static inline struct looks ghcomp_looks_begin(struct waiter *self)
{
  return (struct looks){.self = self, .timed = ++self->waits % SAMPLE_EVERY == 0};
}

/* Before a look.  */
static inline void ghcomp_look_begin(struct looks *looks)
{
  if (unlikely(looks->timed))
    looks->began = cycles_now();
}

static inline void note_line_cost(struct waiter *self, uint64_t took)
{
  uint64_t most = cycles_in(LINE_COST_MOST_NS);
  self->line_cost = (uint32_t)((self->line_cost * 3 + (took < most ? took : most)) / 4);
  self->look_gap = ghcomp_parking_gap(self->line_cost * 2);
}

/* After the look; returns `found`.  */
static inline bool ghcomp_look_end(struct looks *looks, bool found)
{
  if (likely(!looks->timed))
    return found;
  if (found && looks->missed)
    note_line_cost(looks->self, cycles_after_loads() - looks->began);
  looks->missed = !found;
  return found;
}

/* The value for `gap` of a wait.  */
static inline unsigned ghcomp_look_gap(const struct waiter *self)
{
  return self != NULL && self->look_gap != 0 ? self->look_gap : 1;
}

#endif
