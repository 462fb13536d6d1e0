/* Several regions in one turn.  See admission.md.  The thread that has the turn calls these functions,
   except for `ghcomp_admission_guard_slowly`.  */
#include "admission/queue.h"

#include "admission/admission.h"
#include "base/cycles.h"
#include "state/thread.h"

/* To wake the next thread costs about as much as a region loses in a longer gap.  */
#define LONGEST_GAP_NS 100000u

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

bool ghcomp_admission_series_decide(struct thread *self)
{
  bool promised = self->turn.region_was_promised, more = promised && ghcomp_admission_answer_has_more(self);
  bool again = promised && is_expected(self) && ghcomp_admission_now() + self->turn.gap < self->turn.series_end;
  self->turn.answer_goes_on = more;
  self->turn.series_goes_on = more || again;
  if (promised)
    store_relaxed(&ghcomp_admission_series_until, self->turn.series_goes_on ? self->turn.series_end : 0);
  return more || again;
}

unsigned ghcomp_admission_series_leave(struct thread *self)
{
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
