/* Turns of an ordered loop, and the counters of a doacross loop.

   ordered: `turn` in the slot is the number of iterations whose turn is over.
   A chunk [first, last) has its turn when turn == first, and then sets it to
   last.  Chunks tile the loop, so the chunk whose turn comes is unique,
   whichever schedule made it.

   doacross: one counter per iteration of the outermost loop.  One member
   executes all of that iteration's inner ones in order, so the counter is the
   rank of the last posted inner vector, plus one, and only grows.  */
#include "core/ordered.h"

#include "core/line_cost.h"
#include "core/memory.h"
#include "core/parking.h"
#include "core/slots.h"

static inline bool has_come(struct looks *looks, _Atomic uint64_t *word, uint64_t value)
{
  ghcomp_look_begin(looks);
  return ghcomp_look_end(looks, load_acquire(word) >= value); /* pairs with announce */
}

static __attribute__((noinline)) void wait_slowly(struct member *member, struct slot *slot,
                                                  _Atomic uint64_t *word, uint64_t value)
{
  struct thread *self = member->thread;
  struct team *team = member->team;
  struct waiting w = ghcomp_parking_begin(team);
  w.gap = ghcomp_look_gap(self);
  struct looks looks = ghcomp_looks_begin(self);
  while (!has_come(&looks, word, value)) {
    if (ghcomp_parking_spin(&w))
      continue;
    store_relaxed(&self->park_value, value);
    store_relaxed(&self->park_key, word);
    ghcomp_parking_prepare(self, team, PARK_FOR_NOTHING);
    add_seq_cst(&slot->sleepers, 1); /* pairs with the load in announce */
    if (load_seq_cst(word) < value)
      ghcomp_parking_sleep(self);
    sub_relaxed(&slot->sleepers, 1);
    ghcomp_parking_finish(self, team);
  }
}

/* Waits until *word >= value: a turn or a doacross counter.  */
static inline void wait_for(struct member *member, struct slot *slot, _Atomic uint64_t *word,
                            uint64_t value)
{
  if (load_acquire(word) < value) /* pairs with announce */
    wait_slowly(member, slot, word, value);
}

static void announce(struct member *member, struct slot *slot, _Atomic uint64_t *word,
                     uint64_t value)
{
  swap_seq_cst(word, value); /* releases the iterations before */
  if (unlikely(load_seq_cst(&slot->sleepers) != 0))
    ghcomp_parking_wake_key(member->team, word, value);
}

void ghcomp_ordered_enter(struct member *member)
{
  struct loop *loop = &member->loop;
  if (loop->ordered && loop->slot != NULL && member->team->size > 1)
    wait_for(member, loop->slot, &loop->slot->turn, loop->first);
}

void ghcomp_ordered_leave(struct member *member)
{
  struct loop *loop = &member->loop;
  if (loop->ordered && loop->last - loop->first == 1) {
    ghcomp_ordered_pass(member);
    loop->first = loop->last; /* passed: the dispenser need not */
  }
}

void ghcomp_ordered_pass(struct member *member)
{
  struct loop *loop = &member->loop;
  if (member->team->size == 1)
    return;
  wait_for(member, loop->slot, &loop->slot->turn, loop->first);
  announce(member, loop->slot, &loop->slot->turn, loop->last);
}

/* -------------------------------------------------------------------- doacross */

struct doacross {
  unsigned dimensions;
  uint64_t *counts;            /* per dimension */
  _Atomic uint64_t posted[];   /* per outermost iteration */
};

struct doacross *ghcomp_ordered_make_doacross(unsigned dimensions, const uint64_t *counts)
{
  struct doacross *d =
      ghcomp_memory_get_zero(sizeof *d + (counts[0] + dimensions) * sizeof(uint64_t));
  d->dimensions = dimensions;
  d->counts = (uint64_t *)&d->posted[counts[0]];
  for (unsigned i = 0; i < dimensions; i++)
    d->counts[i] = counts[i];
  return d;
}

static struct doacross *doacross_of(const struct member *member)
{
  return load_acquire(&member->loop.slot->extra)->doacross;
}

unsigned ghcomp_ordered_dimensions(const struct member *member)
{
  return doacross_of(member)->dimensions;
}

/* The rank of the inner part of the vector among its outermost iteration's.  */
static uint64_t rank(const struct doacross *d, const uint64_t *at)
{
  uint64_t rank = 0;
  for (unsigned i = 1; i < d->dimensions; i++)
    rank = rank * d->counts[i] + at[i];
  return rank;
}

void ghcomp_ordered_post(struct member *member, const uint64_t *at)
{
  struct doacross *d = doacross_of(member);
  if (member->team->size > 1)
    announce(member, member->loop.slot, &d->posted[at[0]], rank(d, at) + 1);
}

void ghcomp_ordered_wait(struct member *member, const uint64_t *at)
{
  struct doacross *d = doacross_of(member);
  if (member->team->size > 1)
    wait_for(member, member->loop.slot, &d->posted[at[0]], rank(d, at) + 1);
}
