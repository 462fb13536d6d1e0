/* Doacross loops in which nothing is known of who executes which iteration, nor in which order: each iteration
   of the whole space has a bit, which is set when it is posted.

   That is what LLVM's compilers need: they begin the construct before the schedule is known, and collapsed
   loops may give the inner iterations of one outer to several members.  Where GCC tells more, ordered.c
   does with a counter for each member.  */
#include "work/slots.h"

#include "base/memory.h"
#include "base/message.h"
#include "work/slot_wait.h"

enum { WORD = 64 };

struct across {
  unsigned dimensions;
  struct span *spans;
  uint64_t *counts;         /* per dimension */
  _Atomic uint64_t *posted; /* a bit for each iteration */
};

static uint64_t count_of(const struct span *span)
{
  uint64_t first = (uint64_t)span->first, last = (uint64_t)span->last, step = (uint64_t)span->step;
  if (span->step > 0 && span->first <= span->last)
    return (last - first) / step + 1;
  if (span->step < 0 && span->first >= span->last)
    return (first - last) / (0 - step) + 1;
  return 0;
}

struct across *ghcomp_across_make(unsigned dimensions, const struct span *spans)
{
  uint64_t all = 1;
  for (unsigned i = 0; i < dimensions; i++)
    if (__builtin_mul_overflow(all, count_of(&spans[i]), &all))
      ghcomp_message_fatal("an ordered(%u) loop has more iterations than 64 bits can count, and a bit of memory is "
                           "needed for each, so the program ends here", dimensions);
  size_t words = all / WORD + 1;
  struct across *a = ghcomp_memory_get_zero(sizeof *a + dimensions * (sizeof(struct span) + sizeof(uint64_t)) +
                                            words * sizeof(uint64_t));
  a->dimensions = dimensions;
  a->spans = (struct span *)(a + 1);
  a->counts = (uint64_t *)(a->spans + dimensions);
  a->posted = (_Atomic uint64_t *)(a->counts + dimensions);
  for (unsigned i = 0; i < dimensions; i++) {
    a->spans[i] = spans[i];
    a->counts[i] = count_of(&spans[i]);
  }
  return a;
}

void ghcomp_across_begin(struct member *member, unsigned dimensions, const struct span *spans)
{
  if (member->team->size == 1)
    return;
  struct slot_plan plan = {.span_count = dimensions, .spans = spans, .threads = member->team->size};
  member->work.current_slot = ghcomp_slots_enter(member);
  ghcomp_slots_extra(member->work.current_slot, &plan);
}

/* Relaxed: the member itself has made or found it when the construct began.  */
static struct across *across_of(const struct member *member)
{
  return load_relaxed(&member->work.current_slot->extra)->across;
}

/* The number of the iteration; false: there is none with these values.  */
static bool number_of(const struct across *a, const int64_t *at, uint64_t *number)
{
  uint64_t n = 0;
  for (unsigned i = 0; i < a->dimensions; i++) {
    const struct span *span = &a->spans[i];
    if (span->step > 0 ? at[i] < span->first || at[i] > span->last : at[i] > span->first || at[i] < span->last)
      return false;
    uint64_t distance = span->step > 0 ? (uint64_t)at[i] - (uint64_t)span->first : (uint64_t)span->first - (uint64_t)at[i];
    uint64_t step = span->step > 0 ? (uint64_t)span->step : 0 - (uint64_t)span->step;
    n = n * a->counts[i] + (step == 1 ? distance : distance / step);
  }
  *number = n;
  return true;
}

static inline bool is_set(struct wait *wait)
{
  struct slot_wait *w = (struct slot_wait *)wait;
  ghcomp_look_begin(&w->timer);
  return ghcomp_look_end(&w->timer, (load_seq_cst(w->word) & w->value) != 0); /* pairs with post */
}

static const struct wait_kind until_set = {.is_over = is_set, .goes_on = ghcomp_slot_wait_goes_on,
                                           .announce = ghcomp_slot_wait_announce, .sleep = ghcomp_slot_wait_sleep,
                                           .after_sleep = ghcomp_slot_wait_take_back};

static __attribute__((noinline)) void wait_slowly(struct member *member, _Atomic uint64_t *word, uint64_t bit)
{
  struct slot_wait w = ghcomp_slot_wait_by(member, member->work.current_slot, word, bit);
  ghcomp_slot_wait(&until_set, &w.wait);
}

void ghcomp_across_wait(struct member *member, const int64_t *at)
{
  uint64_t number;
  if (member->team->size == 1 || !number_of(across_of(member), at, &number))
    return;
  _Atomic uint64_t *word = &across_of(member)->posted[number / WORD];
  uint64_t bit = (uint64_t)1 << number % WORD;
  if ((load_acquire(word) & bit) == 0) /* pairs with post */
    wait_slowly(member, word, bit);
}

void ghcomp_across_post(struct member *member, const int64_t *at)
{
  uint64_t number;
  if (member->team->size == 1 || !number_of(across_of(member), at, &number))
    return;
  _Atomic uint64_t *word = &across_of(member)->posted[number / WORD];
  or_seq_cst(word, (uint64_t)1 << number % WORD); /* releases the iteration */
  ghcomp_slot_wait_wake(member, member->work.current_slot, word, UINT64_MAX); /* whatever bit they wait for */
}
