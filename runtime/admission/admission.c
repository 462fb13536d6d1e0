/* What a master calls when a region begins or ends, and in a question.  See admission.md.

   Invariant: the thread of a counted region has `region_began` until it leaves.  */
#include "admission/admission.h"

#include "admission/queue.h"
#include "base/cycles.h"
#include "state/thread.h"
#include "wait/parking.h"

_Atomic unsigned ghcomp_admission_masters;

void ghcomp_admission_count_masters(int more)
{
  add_relaxed(&ghcomp_admission_masters, (unsigned)more);
}

bool ghcomp_admission_passes_turn(struct thread *self)
{
  return !ghcomp_admission_series_decide(self) && ghcomp_admission_queue_first() != NULL;
}

__attribute__((noinline)) uint64_t ghcomp_admission_now(void)
{
  return cycles_now();
}

/* ---------------------------------------------------------------------- begins */

/* Returns the threads for a region, at once or when its turn has come.  */
static unsigned take_turn(struct thread *self, unsigned wanted, bool exact, bool in_question)
{
  ghcomp_admission_queue_lock();
  unsigned ahead = ghcomp_admission_queue_length();
  bool late = ghcomp_admission_promise_revoke_late(ghcomp_admission_now());
  bool kept = ghcomp_admission_promise_end(self);
  ghcomp_admission_promise_keep_for_lone(self);
  bool meets_others = ghcomp_admission_queue_is_used();
  unsigned threads = ghcomp_admission_queue_arrive(self, wanted, exact, in_question);
  ghcomp_admission_queue_unlock();
  self->turn.just_waited = threads == 0;
  if (!in_question)
    ghcomp_admission_sharing_learn(meets_others);
  if (unlikely(late || kept) && ahead != 0)
    ghcomp_admission_queue_let_in();
  if (threads == 0)
    threads = ghcomp_admission_wait(self, ahead);
  if (!in_question) {
    ghcomp_admission_slice_choose(self);
    ghcomp_admission_series_begin_short(self, ahead);
  }
  return threads;
}

static struct admitted begin(struct thread *self, unsigned threads)
{
  if (!self->turn.region_was_promised)
    ghcomp_admission_payoff_begin(self);
  self->turn.region_began = ghcomp_admission_now() | 1;
  self->turn.series_goes_on = false;
  return (struct admitted){.threads = threads, .counted = threads};
}

/* If turns leave processors unused, mostly other programs compute.  Then each thread waits for time slices, and a region
   on one thread waits for twice as many as a region on two.  */
static struct admitted without_turn(unsigned wanted, bool exact)
{
  bool all = exact || ghcomp_admission_payoff_is_unused();
  unsigned free = all ? wanted : ghcomp_admission_queue_available();
  return (struct admitted){.threads = free < wanted ? free : wanted};
}

/* True: the thread was told a number in a question, and no region has followed yet.  */
static bool has_promise(const struct thread *self)
{
  return unlikely(self->turn.promise_end != 0) && !self->turn.kept_after_region;
}

/* Of regions that follow no question.  */
static bool takes_none(struct thread *self)
{
  if (self->turn.untimed_left == 0)
    return false;
  self->turn.untimed_left--;
  if (self->turn.is_brief)
    return true;
  ghcomp_admission_payoff_check();
  if (!ghcomp_admission_payoff_is_none())
    return false;
  ghcomp_admission_slice_choose(self);
  return true;
}

/* One region in some takes a turn all the same, so this ends when the regions no longer meet.  */
static bool shares_with_haskell(struct thread *self)
{
  if (likely(!ghcomp_admission_sharing_is_on()) || self->turn.untimed_left == 0 || ghcomp_admission_payoff_is_none())
    return false;
  self->turn.untimed_left--;
  ghcomp_admission_slice_choose(self);
  return true;
}

static struct admitted enter(struct thread *self, unsigned wanted, bool exact, bool answered)
{
  if (unlikely(self->turn.looks_at_next))
    ghcomp_admission_payoff_look(self);
  if (self->turn.without_turns)
    return without_turn(wanted, exact);
  if (has_promise(self)) {
    ghcomp_admission_promise_use(self, wanted);
    ghcomp_admission_answer_begin(self);
    return begin(self, wanted);
  }
  if (answered && self->turn.asked_alone) {
    self->turn.asked_alone = false;
    self->turn.promised_at = 0;
    ghcomp_admission_answer_begin(self);
  }
  if (answered && ghcomp_admission_answer_continue(self)) {
    ghcomp_admission_promise_reuse(self, wanted);
    return begin(self, wanted);
  }
  self->turn.region_was_promised = false;
  unsigned kept = self->turn.ended != 0 ? ghcomp_admission_series_continue_short(self, wanted, exact) : 0;
  if (kept != 0)
    return begin(self, kept);
  if (!ghcomp_admission_has_others()) {
    ghcomp_admission_slice_calm(self);
    return without_turn(wanted, exact);
  }
  if (shares_with_haskell(self))
    return (struct admitted){.threads = wanted};
  if (takes_none(self))
    return without_turn(wanted, exact);
  if (!ghcomp_admission_payoff_is_none())
    return begin(self, take_turn(self, wanted, exact, false));
  ghcomp_admission_slice_choose(self);
  struct admitted timed = without_turn(wanted, exact);
  ghcomp_admission_promise_reuse(self, timed.threads);
  return begin(self, timed.threads);
}

struct admitted ghcomp_admission_enter(struct thread *self, unsigned wanted, bool exact, bool answered)
{
  if (exact)
    return enter(self, wanted, true, answered);
  bool all = ghcomp_admission_blocked_often();
  if (!all)
    ghcomp_admission_moment_pass(self);
  struct admitted admitted = enter(self, wanted, all, answered);
  admitted.needs_all = all || ghcomp_admission_payoff_is_unused();
  if (admitted.counted != 0)
    ghcomp_admission_blocked_begin(self);
  return admitted;
}

static bool takes_turn(struct thread *self, const void *caller)
{
  return !ghcomp_admission_answer_takes_no_turn(self, caller) && ghcomp_admission_question_takes_turn(self, caller);
}

void ghcomp_admission_ask(struct thread *self, unsigned threads, const void *caller)
{
  self->turn.asked_alone = likely(!ghcomp_admission_has_others());
  if (self->turn.asked_alone) {
    self->turn.without_turns = false;
    ghcomp_admission_promise_ask_alone(self);
    return;
  }
  if (has_promise(self)) {
    if (ghcomp_admission_now() <= self->turn.promise_end)
      return;
    ghcomp_admission_promise_unused(self);
  }
  ghcomp_admission_answer_end(self);
  if (!takes_turn(self, caller)) {
    if (self->turn.promise_end != 0)
      ghcomp_admission_promise_unused(self); /* a turn that it has kept since its last region */
    return;
  }
  if (ghcomp_admission_series_continue(self, threads)) {
    self->turn.just_waited = false;
    return;
  }
  take_turn(self, threads, true, true);
  ghcomp_admission_promise_keep(self, threads);
  ghcomp_admission_series_begin(self);
}

unsigned ghcomp_admission_reduce(unsigned counted, unsigned threads)
{
  if (counted <= threads)
    return counted;
  ghcomp_admission_queue_reduce(counted - threads);
  return threads;
}

/* ------------------------------------------------------------------------ ends */

void ghcomp_admission_leave(struct thread *self, unsigned counted)
{
  ghcomp_admission_blocked_end(self, counted);
  if (!self->turn.region_was_promised)
    ghcomp_admission_payoff_learn(self, counted);
  self->turn.region_began = 0;
  self->turn.counted_team = NULL;
  store_relaxed(&self->computing_thread, ABOUT_TO_COMPUTE); /* it is about to leave; a thread that
                                                               looks around holds the lock */
  ghcomp_admission_queue_lock();
  ghcomp_admission_wait_note_end();
  unsigned ns = ghcomp_admission_series_leave(self);
  bool stays = ns != 0;
  if (stays)
    ghcomp_admission_promise_stay(self, counted, ns, !self->turn.answer_goes_on);
  else
    ghcomp_admission_queue_put_back(self, counted);
  struct thread *next = ghcomp_admission_queue_first();
  bool unused = ghcomp_admission_share_is_small(next != NULL && !self->turn.region_was_promised);
  ghcomp_admission_queue_unlock();
  if (unlikely(unused))
    ghcomp_admission_payoff_leaves_unused();
  bool goes_on = stays && self->turn.series_goes_on; /* an idle worker makes sure that this does not last */
  if (next != NULL && !goes_on && stays)
    ghcomp_parking_wake(&next->waiter); /* it makes sure that this does not last */
  else if (next != NULL && !goes_on)
    ghcomp_admission_queue_let_in_beside(self->turn.worker_processors);
  if (stays && self->turn.answer_goes_on)
    ghcomp_admission_answer_pause(self);
}

void ghcomp_admission_abandon(struct thread *self)
{
  struct team *team = self->turn.counted_team;
  self->turn.series_goes_on = false;
  if (self->turn.region_began != 0 && team != NULL)
    ghcomp_admission_leave(self, team->counted_threads);
  if (self->turn.promise_end != 0)
    ghcomp_admission_promise_unused(self);
  ghcomp_admission_queue_lock();
  bool kept = ghcomp_admission_promise_forget(self);
  ghcomp_admission_queue_unlock();
  if (kept)
    ghcomp_admission_queue_let_in();
}

void ghcomp_admission_after_fork(void)
{
  ghcomp_admission_promise_after_fork();
  ghcomp_admission_queue_after_fork();
  ghcomp_admission_payoff_after_fork();
  ghcomp_admission_sharing_forget();
  ghcomp_admission_blocked_forget();
  store_relaxed(&ghcomp_admission_masters, ghcomp_self_pointer != NULL);
}
