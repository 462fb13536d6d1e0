/* Several regions in one turn.  See admission.md.  The thread that has the turn calls these functions,
   except for `ghcomp_admission_guard_slowly`.  */
#include "admission/queue.h"

#include "admission/admission.h"
#include "base/cycles.h"
#include "state/thread.h"

/* To wake the next thread costs about as much as a region loses in a longer gap.  */
#define LONGEST_GAP_NS 100000u

/* Short regions that follow no question share a turn, if the next one begins at once: to pass the turn costs as much as
   a region of 10 or 20 µs.  The threads that wait share this time, and each turn has at least the second.  */
#define ROUND_NS 350000u
#define SHORT_TURN_NS 50000u
#define SHORT_GAP_NS 10000u
/* A thread's score: how often the next region began at once; halved each time that it did not.  */
enum { PROMPT_LEAST = 4, PROMPT_MOST = 16 };

_Atomic uint64_t ghcomp_admission_series_until;

/* The thread soon asks again, on average.  */
static bool is_expected(const struct thread *thread)
{
  return thread->turn.gap != 0 && thread->turn.gap <= cycles_in(LONGEST_GAP_NS);
}

void ghcomp_admission_series_expect(const struct thread *thread)
{
  bool expected = thread->turn.in_question && is_expected(thread);
  store_relaxed(&ghcomp_admission_series_until, expected ? ghcomp_admission_now() + cycles_in(SERIES_NS) : 0);
}

void ghcomp_admission_series_begin(struct thread *self)
{
  self->turn.series_end = ghcomp_admission_now() + cycles_in(SERIES_NS);
}

/* An average.  A longer gap counts as twice the longest, so that the next ones soon count again.  */
static void learn_gap(struct thread *self, uint64_t gap)
{
  uint64_t most = cycles_in(2 * LONGEST_GAP_NS), before = self->turn.gap;
  if (gap > most)
    gap = most;
  self->turn.gap = (uint32_t)(before != 0 ? (3 * before + gap) / 4 : gap) | 1;
}

/* The next region follows no question either.  It is expected to begin at once, and to end before the turn does.  */
static bool has_room_for_another(const struct thread *self)
{
  return self->turn.prompt >= PROMPT_LEAST && !self->turn.is_brief && !self->turn.beside_haskell &&
         ghcomp_admission_queue_first() != NULL && self->turn.region_took < cycles_in(SHORT_TURN_NS) &&
         ghcomp_admission_now() + self->turn.region_took < self->turn.series_end;
}

static bool decide_promised(struct thread *self)
{
  bool more = ghcomp_admission_answer_has_more(self);
  bool again = is_expected(self) && ghcomp_admission_now() + self->turn.gap < self->turn.series_end;
  self->turn.answer_goes_on = more;
  store_relaxed(&ghcomp_admission_series_until, more || again ? self->turn.series_end : 0);
  return more || again;
}

bool ghcomp_admission_series_decide(struct thread *self)
{
  self->turn.answer_goes_on = false;
  self->turn.series_goes_on = self->turn.region_was_promised ? decide_promised(self) : has_room_for_another(self);
  return self->turn.series_goes_on;
}

/* ------------------------------------------------------------- without questions */

void ghcomp_admission_series_begin_short(struct thread *self, unsigned ahead)
{
  unsigned share = ROUND_NS / (ahead + 1);
  self->turn.series_end = ghcomp_admission_now() + cycles_in(share > SHORT_TURN_NS ? share : SHORT_TURN_NS);
}

static unsigned leave_short(struct thread *self)
{
  self->turn.ended = ghcomp_admission_now() | 1;
  return self->turn.series_goes_on ? LEAVING_NS : 0;
}

static bool is_prompt(struct thread *self)
{
  bool prompt = ghcomp_admission_now() < self->turn.ended + cycles_in(SHORT_GAP_NS);
  self->turn.ended = 0;
  return prompt;
}

unsigned ghcomp_admission_series_continue_short(struct thread *self, unsigned wanted, bool exact)
{
  unsigned char before = self->turn.prompt;
  self->turn.prompt = (unsigned char)(is_prompt(self) ? before + (before < PROMPT_MOST) : before / 2);
  unsigned threads = self->turn.series_goes_on ? ghcomp_admission_promise_go_on(self, wanted, exact) : 0;
  if (threads != 0)
    self->turn.just_waited = false;
  return threads;
}

/* ----------------------------------------------------------------- with questions */

unsigned ghcomp_admission_series_leave(struct thread *self)
{
  if (!self->turn.region_was_promised)
    return leave_short(self);
  self->turn.left = ghcomp_admission_now() | 1;
  if (self->turn.answer_goes_on)
    return PROMISE_NS;
  return self->turn.series_goes_on ? LEAVING_NS + 2 * (unsigned)cycles_to_ns(self->turn.gap) : LEAVING_NS;
}

bool ghcomp_admission_series_continue(struct thread *self, unsigned threads)
{
  bool goes_on = self->turn.series_goes_on;
  if (self->turn.left == 0)
    return false;
  uint64_t now = ghcomp_admission_now();
  learn_gap(self, now > self->turn.left ? now - self->turn.left : 0);
  self->turn.left = 0;
  self->turn.series_goes_on = false;
  return goes_on && ghcomp_admission_promise_renew(self, threads);
}

/* A thread that misses a kept turn here leaves it to the first thread in the queue, which looks by
   itself.  */
uint64_t ghcomp_admission_guard_slowly(void)
{
  uint64_t until = load_relaxed(&ghcomp_admission_kept_until), now = ghcomp_admission_now();
  if (until == 0 || ghcomp_admission_queue_first() == NULL)
    return 0;
  if (now <= until)
    return cycles_to_ns(until - now) + 1;
  if (!ghcomp_admission_promise_end_late(now))
    return PROMISE_BLOCKED_NS;
  ghcomp_admission_queue_let_in();
  return 0;
}
