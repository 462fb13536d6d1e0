/* A member waits for a word of a construct: a counter, or a bit.  Who changes the word looks at the
   slot's `sleepers` afterwards, and wakes those whose `park_key` it is.

   Waits for earlier iterations are of one length as a rule: that of the iterations that others have before this member's next one.
   So a member that has slept in one of them spins on in the next ones, by the rule of wait/patience.h.

   Not in a team of two: one member waits for one other, and nobody behind it.  On two processors an ordered loop with a long and a short
   iteration in turn took as long with the rule as without it, up to twice the processor time, and 3 % longer beside a busy program.  */
#ifndef GHCOMP_WORK_SLOT_WAIT_H
#define GHCOMP_WORK_SLOT_WAIT_H

#include "state/thread.h"
#include "wait/line_cost.h"
#include "wait/loop.h"
#include "wait/patience.h"

struct slot_wait {
  struct wait wait;
  struct slot *slot;
  _Atomic uint64_t *word;
  uint64_t value;
  struct look_timer timer;
};

static inline struct slot_wait ghcomp_slot_wait_by(struct member *member, struct slot *slot, _Atomic uint64_t *word,
                                                   uint64_t value)
{
  struct waiter *self = &member->thread->waiter;
  struct team *team = member->team;
  return (struct slot_wait){{.self = self, .crew = &team->crew, .pauses_per_look = ghcomp_look_pauses(self),
                             .has_processors = ghcomp_team_has_processors(team)},
                            slot, word, value, ghcomp_look_timer_start(self)};
}

static inline struct patience *ghcomp_slot_wait_patience(const struct wait *wait)
{
  return &ghcomp_thread_of(wait->self)->in_order;
}

static inline bool ghcomp_slot_wait_goes_on(struct wait *wait)
{
  return ghcomp_thread_of(wait->self)->member->team->size > 2 && ghcomp_patience_goes_on(ghcomp_slot_wait_patience(wait), wait->self);
}

static inline void ghcomp_slot_wait_sleep(struct wait *wait)
{
  ghcomp_patience_before_sleep(ghcomp_slot_wait_patience(wait));
  ghcomp_parking_sleep(wait->self);
}

/* Waits.  The kind has the two functions above.  */
static inline __attribute__((always_inline)) void ghcomp_slot_wait(const struct wait_kind *kind, struct wait *wait)
{
  ghcomp_wait(kind, wait);
  ghcomp_patience_end(ghcomp_slot_wait_patience(wait));
}

static inline void ghcomp_slot_wait_announce(struct wait *wait)
{
  struct slot_wait *w = (struct slot_wait *)wait;
  store_relaxed(&wait->self->park_value, w->value);
  store_relaxed(&wait->self->park_key, w->word);
  ghcomp_parking_prepare(wait->self, wait->crew, PARK_FOR_NOTHING);
  add_seq_cst(&w->slot->sleepers, 1); /* pairs with the load in ghcomp_slot_wait_wake */
}

static inline bool ghcomp_slot_wait_take_back(struct wait *wait)
{
  sub_relaxed(&((struct slot_wait *)wait)->slot->sleepers, 1);
  return false;
}

/* After a sequentially consistent change of the word: wakes those that wait for `value` or less.  */
static inline void ghcomp_slot_wait_wake(struct member *member, struct slot *slot, const void *word, uint64_t value)
{
  if (unlikely(load_seq_cst(&slot->sleepers) != 0))
    ghcomp_parking_wake_key(&member->team->crew, word, value);
}

#endif
