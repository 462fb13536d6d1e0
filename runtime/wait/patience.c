/* See patience.h.  */
#include "wait/patience.h"

#include "machine/clock.h"
#include "machine/processors.h"
#include "threads/substrate.h"
#include "wait/parking.h"

#define LONG_YIELD_NS 20000u    /* if nobody else wants the processor, it is less than 2 µs */
/* After a long yield the thread does not spin on in so many of the next waits: a thread of the system's
   takes the processor for once, a program that computes takes it each time.  */
#define FEWEST_WITHOUT 4u
#define MOST_WITHOUT 64u
#define CALM_YIELDS 32u /* that are short, in a row: nobody else computes here now */
/* So many waits in a row must be too long before it no longer pays.  */
#define PATIENCE 2

bool ghcomp_patience_is_allowed(void)
{
  return ghcomp_parking_learns() && !ghcomp_parking_is_crowded() && !ghcomp_machine_has_quota() &&
         !ghcomp_substrate_host_is_haskell();
}

static void note_short_yield(struct patience *patience)
{
  if (++patience->short_yields < CALM_YIELDS)
    return;
  patience->short_yields = patience->long_yields = 0;
}

static void note_long_yield(struct patience *patience)
{
  unsigned waits = FEWEST_WITHOUT << patience->long_yields;
  patience->left = patience->short_yields = 0;
  patience->waits_without = (unsigned char)waits;
  patience->long_yields += waits < MOST_WITHOUT;
}

bool ghcomp_patience_is_asked_for_processor(struct patience *patience, struct waiter *self)
{
  uint64_t before = clock_ns();
  ghcomp_machine_yield();
  ghcomp_count(&self->counters, STAT_YIELDS);
  bool wanted = clock_ns() - before > LONG_YIELD_NS;
  if (wanted)
    note_long_yield(patience);
  else
    note_short_yield(patience);
  return wanted;
}

void ghcomp_patience_learn(struct patience *patience, bool pays)
{
  patience->since = 0;
  if (patience->waits_without != 0)
    patience->waits_without--;
  else if (pays)
    patience->left = PATIENCE;
  else if (patience->left != 0)
    patience->left--;
}

bool ghcomp_patience_goes_on_slowly(struct patience *patience, struct waiter *self)
{
  if (!ghcomp_patience_is_allowed())
    return false;
  uint64_t now = clock_ns();
  if (patience->since == 0)
    patience->since = now;
  return !ghcomp_patience_is_over(patience, now) && !ghcomp_patience_is_asked_for_processor(patience, self);
}

void ghcomp_patience_before_sleep(struct patience *patience)
{
  if (patience->since == 0 && ghcomp_patience_is_allowed())
    patience->since = clock_ns();
}

void ghcomp_patience_learn_from_length(struct patience *patience)
{
  ghcomp_patience_learn(patience, !ghcomp_patience_is_over(patience, clock_ns()));
}
