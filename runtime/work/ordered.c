/* The order of an ordered loop's iterations, and the counters of a doacross loop.

   ordered: chunks tile the loop, so exactly one chunk may enter, whatever the schedule.  When all iterations of the
   chunk have passed the construct, or never come to it, its member gives the turn to the next chunk, [first, end),
   where that chunk's member waits: to the k-th chunk at own_turn k mod n of n members.  There `passed` becomes
   first - 1.  So each hand-over goes from one member to one other, whose line nobody else reads.
   Invariant: at most one member waits at an own_turn.  With a static schedule it is the k-th member's own (without a
   chunk size each member has one chunk).  With schedule(dynamic) chunks that are handed out and have not passed follow
   each other, and each member has at most one, so they are n at most.
   Where there are no own_turns, all wait at `ordered_done` in the slot: the number of iterations that have passed.

   doacross: a counter is the number of the last posted vector, plus one.  It only grows, because
   one member executes all vectors that share it, in order.  These vectors share a counter: the
   inner ones of one iteration of the outermost loop; with schedule(dynamic, n) those of a chunk,
   which begins at a multiple of n; with schedule(static) all vectors of a member, so there are as
   many counters as members.  If several outermost iterations share a counter, vectors are numbered
   from the beginning of the loop; otherwise from the beginning of the iteration.  */
#include "work/slots.h"

#include "base/memory.h"
#include "work/schedule.h"
#include "work/slot_wait.h"

static inline bool is_reached(struct wait *wait)
{
  struct slot_wait *w = (struct slot_wait *)wait;
  ghcomp_look_begin(&w->timer);
  return ghcomp_look_end(&w->timer, load_seq_cst(w->word) >= w->value); /* pairs with announce */
}

static const struct wait_kind until_reached = {.is_over = is_reached, .goes_on = ghcomp_slot_wait_goes_on,
                                               .announce = ghcomp_slot_wait_announce, .sleep = ghcomp_slot_wait_sleep,
                                               .after_sleep = ghcomp_slot_wait_take_back};

static __attribute__((noinline)) void wait_slowly(struct member *member, struct slot *slot,
                                                  _Atomic uint64_t *word, uint64_t value)
{
  struct slot_wait w = ghcomp_slot_wait_by(member, slot, word, value);
  if (member->team->size == 2) /* nobody else looks, and the thread that writes the word waits for this one next */
    w.wait.pauses_per_look = w.wait.pauses_per_look * 3 / 4; /* 0 is 1 */
  ghcomp_slot_wait(&until_reached, &w.wait);
}

/* Waits until *word >= value: `ordered_done`, or a doacross counter.  */
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
  ghcomp_slot_wait_wake(member, slot, word, value);
}

/* --------------------------------------------------------------------- ordered */

/* True: what is before `first` has passed.  UINT64_MAX: nothing has.  */
static inline bool is_before(uint64_t passed, uint64_t first)
{
  return passed + 1 >= first;
}

static inline bool is_its_turn(struct wait *wait)
{
  struct slot_wait *w = (struct slot_wait *)wait;
  ghcomp_look_begin(&w->timer);
  return ghcomp_look_end(&w->timer, is_before(load_seq_cst(w->word), w->value)); /* pairs with give_turn */
}

static inline struct own_turn *turn_of(struct wait *wait)
{
  return (struct own_turn *)((struct slot_wait *)wait)->word; /* its first */
}

static inline void announce_sleep(struct wait *wait)
{
  ghcomp_parking_prepare(wait->self, wait->crew, PARK_FOR_NOTHING);
  swap_seq_cst(&turn_of(wait)->sleeper, wait->self); /* pairs with the load in give_turn */
}

/* Unless the next member that waits here has announced its own sleep already.  */
static inline bool take_back(struct wait *wait)
{
  struct waiter *self = wait->self;
  cas_relaxed(&turn_of(wait)->sleeper, &self, TURN_NOBODY);
  return false;
}

static const struct wait_kind until_turn = {.is_over = is_its_turn, .goes_on = ghcomp_slot_wait_goes_on,
                                            .announce = announce_sleep, .sleep = ghcomp_slot_wait_sleep,
                                            .after_sleep = take_back};

static __attribute__((noinline)) void wait_for_turn_slowly(struct member *member, struct own_turn *turn, uint64_t value)
{
  struct slot_wait w = ghcomp_slot_wait_by(member, NULL, &turn->passed, value);
  ghcomp_slot_wait(&until_turn, &w.wait);
}

static void give_turn(struct own_turn *turn, uint64_t passed)
{
  swap_seq_cst(&turn->passed, passed); /* releases the iterations before */
  struct waiter *sleeper = load_seq_cst(&turn->sleeper); /* pairs with announce_sleep */
  if (unlikely(sleeper != TURN_NOBODY))
    ghcomp_parking_wake(sleeper);
}

/* In a team of two the counter's line goes to and fro as two lines would.  Where guided chunks begin is not known
   before they are drawn.  */
static bool has_turns(const struct member *member, const struct loop *loop)
{
  return member->team->size > 2 && loop->kind != LOOP_GUIDED;
}

void ghcomp_ordered_begin(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (loop->kind == LOOP_OWN_PARTS)
    loop->kind = LOOP_DYNAMIC;
  loop->parts = has_turns(member, loop) ? ghcomp_slots_parts(member) : NULL;
  loop->turn = member->number;
}

void ghcomp_ordered_begin_chunk(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (loop->parts != NULL && loop->kind == LOOP_DYNAMIC)
    loop->turn = (unsigned)(loop->chunk_first / loop->chunk % member->team->size);
}

static void wait_for_turn(struct member *member, struct loop *loop)
{
  if (loop->parts == NULL) {
    wait_for(member, loop->slot, &loop->slot->ordered_done, loop->chunk_first);
    return;
  }
  struct own_turn *turn = &loop->parts[loop->turn].turn;
  if (!is_before(load_acquire(&turn->passed), loop->chunk_first)) /* pairs with give_turn */
    wait_for_turn_slowly(member, turn, loop->chunk_first);
}

void ghcomp_ordered_enter(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (loop->ordered && loop->slot != NULL && member->team->size > 1 && loop->chunk_first != loop->chunk_end)
    wait_for_turn(member, loop);
}

void ghcomp_ordered_leave(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (loop->ordered && loop->chunk_end - loop->chunk_first == loop->finished + 1) {
    ghcomp_ordered_pass(member);
    loop->chunk_first = loop->chunk_end; /* the next chunk may enter already; the dispenser need not let it */
  }
}

void ghcomp_ordered_pass(struct member *member)
{
  struct loop *loop = &member->work.loop;
  if (member->team->size == 1)
    return;
  wait_for_turn(member, loop);
  if (loop->chunk_end == loop->count)
    return; /* nobody comes after it */
  unsigned next = loop->turn + 1;
  if (loop->parts != NULL)
    give_turn(&loop->parts[next != member->team->size ? next : 0].turn, loop->chunk_end - 1);
  else
    announce(member, loop->slot, &loop->slot->ordered_done, loop->chunk_end);
}

/* -------------------------------------------------------------------- doacross */

struct doacross {
  unsigned dimensions;
  unsigned members;         /* of a team with a static schedule; else 0 */
  uint64_t granule;         /* outermost iterations that share a counter, if members is 0 */
  uint64_t inner;           /* inner vectors of an outermost iteration; 1 if that has its own
                               counter */
  uint64_t chunk;           /* of the static schedule; 0: one part for each member */
  uint64_t *counts;         /* per dimension */
  _Atomic uint64_t *posted; /* the counters; those of members are on lines of their own */
};

#define COUNTERS_ON_LINE (CACHELINE / sizeof(uint64_t))

/* True: the numbers of all vectors, plus one, fit into a counter.  */
static bool numbers_fit(unsigned dimensions, const uint64_t *counts)
{
  uint64_t all = 1;
  for (unsigned i = 0; i < dimensions; i++)
    if (__builtin_mul_overflow(all, counts[i], &all))
      return false;
  return all != UINT64_MAX;
}

/* Decides which vectors share a counter: see above.  Returns the number of words.  */
static uint64_t share_counters(struct doacross *d, const struct loop *loop, unsigned threads,
                               const uint64_t *counts)
{
  bool fit = numbers_fit(d->dimensions, counts);
  d->granule = 1;
  if (fit && loop->kind == LOOP_STATIC) {
    d->members = threads;
    d->chunk = loop->chunk;
    return threads * COUNTERS_ON_LINE;
  }
  if (fit && loop->kind == LOOP_DYNAMIC && loop->chunk > 1)
    d->granule = loop->chunk;
  return counts[0] / d->granule + 1;
}

struct doacross *ghcomp_ordered_make_doacross(const struct loop *loop, unsigned threads,
                                              unsigned dimensions, const uint64_t *counts)
{
  struct doacross shape = {.dimensions = dimensions, .inner = 1};
  uint64_t words = share_counters(&shape, loop, threads, counts);
  if (shape.members != 0 || shape.granule != 1)
    for (unsigned i = 1; i < dimensions; i++)
      shape.inner *= counts[i];
  struct doacross *d =
      ghcomp_memory_get_zero(sizeof *d + (words + dimensions) * sizeof(uint64_t) + CACHELINE);
  *d = shape;
  d->posted = (_Atomic uint64_t *)(((uintptr_t)(d + 1) + CACHELINE - 1) & ~(uintptr_t)(CACHELINE - 1));
  d->counts = (uint64_t *)&d->posted[words];
  for (unsigned i = 0; i < dimensions; i++)
    d->counts[i] = counts[i];
  return d;
}

static struct doacross *doacross_of(const struct member *member)
{
  /* Relaxed: the member itself made or found the extra when the construct began.  */
  return load_relaxed(&member->work.loop.slot->extra)->doacross;
}

unsigned ghcomp_ordered_dimensions(const struct member *member)
{
  return doacross_of(member)->dimensions;
}

/* The rank of the vector's inner part among those of its outermost iteration.  */
static uint64_t rank(const struct doacross *d, const uint64_t *at)
{
  uint64_t rank = 0;
  for (unsigned i = 1; i < d->dimensions; i++)
    rank = rank * d->counts[i] + at[i];
  return rank;
}

/* The least value of the vector's counter after the vector was posted.  */
static uint64_t number_of(const struct doacross *d, const uint64_t *at)
{
  uint64_t before = d->members != 0 || d->granule != 1 ? at[0] * d->inner : 0;
  return before + rank(d, at) + 1;
}

static _Atomic uint64_t *counter_of(const struct doacross *d, uint64_t outermost)
{
  if (d->members != 0)
    return &d->posted[ghcomp_schedule_owner(d->counts[0], d->chunk, d->members, outermost) *
                      COUNTERS_ON_LINE];
  return &d->posted[d->granule == 1 ? outermost : outermost / d->granule];
}

/* True: the iteration is in the part that the member executes now, in which all before is done.  */
static bool is_own(const struct member *member, uint64_t outermost)
{
  return outermost >= member->work.loop.chunk_first && outermost < member->work.loop.chunk_end;
}

void ghcomp_ordered_post(struct member *member, const uint64_t *at)
{
  if (member->team->size == 1)
    return;
  struct doacross *d = doacross_of(member);
  _Atomic uint64_t *counter =
      d->members != 0 ? &d->posted[member->number * COUNTERS_ON_LINE] : counter_of(d, at[0]);
  announce(member, member->work.loop.slot, counter, number_of(d, at));
}

void ghcomp_ordered_wait(struct member *member, const uint64_t *at)
{
  if (member->team->size == 1 || is_own(member, at[0]))
    return;
  struct doacross *d = doacross_of(member);
  wait_for(member, member->work.loop.slot, counter_of(d, at[0]), number_of(d, at));
}
