/* Turns that are kept between a question and its region, and for a moment after the region.  See
   admission.md.

   Invariant: the threads that a thread keeps (`kept_threads`) are part of the queue's `taken`.  A
   thread that holds the queue's lock may take them away.  `promise_end` still says that the owner
   was told a number.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "base/stats.h"
#include "machine/thread.h"
#include "settings/icv.h"
#include "state/thread.h"

/* The queue's lock guards these.  */
static unsigned kept_turns;      /* threads that keep a turn */
static unsigned kept_after_regions; /* threads that are kept after a region */
static unsigned late_threads;    /* that have lost the turn for a region, which has not begun yet */

static unsigned excuses;         /* how often a reason to be late has ended, at least */

_Atomic uint64_t ghcomp_admission_promise_leaving_until;
_Atomic uint64_t ghcomp_admission_kept_until;

/* ------------------------------------------------------------------------ kept */

/* The threads that the thread has kept still count as taken.
   Requires: lock.  */
static void forget_kept(struct thread *thread)
{
  if (thread->turn.kept_leaves)
    kept_after_regions -= thread->turn.kept_threads;
  thread->turn.kept_threads = 0;
  kept_turns--;
  store_relaxed(&ghcomp_admission_promise_leaving_until, 0);
  store_relaxed(&ghcomp_admission_kept_until, 0);
}

bool ghcomp_admission_promise_is_crowded(void)
{
  return ghcomp_admission_queue_taken() - kept_after_regions > ghcomp_icv_default_threads();
}

/* Requires: lock.  */
static void give_up(struct thread *thread)
{
  excuses += ghcomp_admission_promise_is_crowded();
  ghcomp_admission_queue_put_back(thread, thread->turn.kept_threads);
  forget_kept(thread);
}

/* Requires: lock.  */
static void set_end(struct thread *thread, unsigned ns)
{
  thread->turn.kept_until = (ghcomp_admission_now() + cycles_in(ns)) | 1;
  thread->turn.kept_until_computed = ghcomp_machine_thread_computed(load_relaxed(&thread->kernel_thread)) + ns;
}

/* The thread keeps the threads that it has taken.  `leaves`: it does not need them for another region.
   Requires: lock.  */
static void keep(struct thread *thread, unsigned threads, unsigned ns, bool leaves)
{
  excuses += ghcomp_admission_promise_is_crowded();
  thread->turn.kept_excuses = excuses;
  thread->turn.kept_threads = threads;
  thread->turn.kept_leaves = leaves;
  if (leaves)
    kept_after_regions += threads;
  set_end(thread, ns);
  kept_turns++;
  store_relaxed(&ghcomp_admission_kept_until, thread->turn.kept_until);
}

/* Requires: lock.  */
static void keep_own(struct thread *self, unsigned threads, unsigned ns, bool after_region, bool leaves)
{
  keep(self, threads, ns, leaves);
  self->turn.kept_after_region = after_region;
  self->turn.promise_end = self->turn.kept_until;
}

void ghcomp_admission_promise_keep(struct thread *self, unsigned threads)
{
  ghcomp_admission_queue_lock();
  keep_own(self, threads, self->turn.has_kept ? PROMISE_NS : PROMISE_FIRST_NS, false, false);
  self->turn.has_kept = true;
  ghcomp_admission_queue_unlock();
}

void ghcomp_admission_promise_stay(struct thread *self, unsigned threads, unsigned ns, bool leaves)
{
  keep_own(self, threads, ns, true, leaves);
  store_relaxed(&self->computing_thread, load_relaxed(&self->kernel_thread));
  /* Pairs with the load in ghcomp_admission_wait.  */
  store_seq_cst(&ghcomp_admission_promise_leaving_until, self->turn.promise_end);
}

/* ------------------------------------------------------------------------ late */

/* If more threads run than there is room for, a region has begun without a turn.  The thread that
   was told a number may be spinning for a lock of that region, and is not late.  A thread that
   leaves and is blocked has released its library's lock.  A thread that has not begun its region
   may be blocked because it waits for memory.  A thread whose turn another one lost may be spinning for
   that one.
   Requires: lock.  */
static bool is_late(const struct thread *thread, uint64_t now)
{
  bool leaves = thread->turn.kept_leaves, may_spin = late_threads != 0 && !leaves;
  uint64_t until = thread->turn.kept_until;
  if (now <= until)
    return false;
  if (!leaves && ghcomp_admission_queue_taken() > thread->turn.kept_threads && ghcomp_admission_promise_is_crowded())
    return false;
  int kernel_thread = load_relaxed(&thread->kernel_thread);
  return now > until + cycles_in(PROMISE_LONGEST_NS) ||
         (!may_spin && ghcomp_machine_thread_computed(kernel_thread) >= thread->turn.kept_until_computed) ||
         (now > until + (leaves ? 0 : cycles_in(PROMISE_BLOCKED_NS)) && !ghcomp_machine_thread_runs(kernel_thread));
}

/* The thread was late for a reason that has ended since.  So its time begins again.
   Requires: lock.  */
static bool was_excused(struct thread *thread)
{
  if (thread->turn.kept_leaves || thread->turn.kept_excuses == excuses)
    return false;
  thread->turn.kept_excuses = excuses;
  set_end(thread, PROMISE_NS);
  return true;
}

bool ghcomp_admission_promise_end_late(uint64_t now)
{
  ghcomp_admission_queue_lock();
  bool any = ghcomp_admission_promise_revoke_late(now);
  ghcomp_admission_queue_unlock();
  return any;
}

bool ghcomp_admission_promise_revoke_late(uint64_t now)
{
  bool any = false;
  if (kept_turns == 0)
    return false;
  for (struct thread *t = ghcomp_thread_first(); t != NULL; t = ghcomp_thread_next(t))
    if (t->turn.kept_threads != 0 && is_late(t, now) && !was_excused(t)) {
      t->turn.is_late = !t->turn.kept_leaves;
      late_threads += t->turn.is_late;
      give_up(t);
      any = true;
    }
  return any;
}

/* ------------------------------------------------------------------------ ends */

bool ghcomp_admission_promise_end(struct thread *self)
{
  bool kept = self->turn.kept_threads != 0;
  if (kept)
    give_up(self);
  late_threads -= self->turn.is_late;
  excuses += self->turn.is_late;
  self->turn.is_late = false;
  self->turn.promise_end = 0;
  return kept;
}

bool ghcomp_admission_promise_renew(struct thread *self, unsigned threads)
{
  ghcomp_admission_queue_lock();
  bool kept = self->turn.kept_threads == threads;
  if (kept) {
    forget_kept(self);
    keep_own(self, threads, PROMISE_NS, false, false);
  }
  ghcomp_admission_queue_unlock();
  return kept;
}

/* -------------------------------------------------------------------- no others */

/* The thread that asked last while it was the only master.  */
static _Atomic(struct thread *) lone;

void ghcomp_admission_promise_ask_alone(struct thread *self)
{
  if (load_relaxed(&lone) != self)
    store_relaxed(&lone, self);
}

void ghcomp_admission_promise_keep_for_lone(const struct thread *self)
{
  struct thread *thread = load_relaxed(&lone);
  if (likely(thread == NULL))
    return;
  if (thread != self && thread->turn.kept_threads == 0 && ghcomp_admission_queue_taken() == 0 &&
      ghcomp_machine_thread_runs(load_relaxed(&thread->kernel_thread))) {
    ghcomp_admission_queue_take(thread, ghcomp_icv_default_threads());
    keep(thread, ghcomp_icv_default_threads(), PROMISE_NS, false);
  }
  store_relaxed(&lone, NULL);
}

bool ghcomp_admission_promise_forget(struct thread *self)
{
  if (load_relaxed(&lone) == self)
    store_relaxed(&lone, NULL);
  return ghcomp_admission_promise_end(self);
}

/* ---------------------------------------------------------------------- regions */

/* A thread that was late and has lost its turn begins all the same.  Other threads may spin for it
   by now, and to wait behind them would never end.  */
void ghcomp_admission_promise_reuse(struct thread *self, unsigned threads)
{
  ghcomp_admission_queue_lock();
  ghcomp_admission_promise_end(self);
  ghcomp_admission_queue_take(self, threads);
  ghcomp_admission_queue_unlock();
}

unsigned ghcomp_admission_promise_go_on(struct thread *self, unsigned wanted, bool exact)
{
  ghcomp_admission_queue_lock();
  unsigned kept = self->turn.kept_threads;
  bool fits = kept == wanted || (!exact && kept != 0 && kept < wanted);
  if (fits) {
    ghcomp_admission_promise_end(self);
    ghcomp_admission_queue_take(self, kept);
  }
  ghcomp_admission_queue_unlock();
  return fits ? kept : 0;
}

void ghcomp_admission_promise_use(struct thread *self, unsigned threads)
{
  ghcomp_admission_promise_reuse(self, threads);
  ghcomp_admission_question_had_region(self);
  self->turn.region_was_promised = true;
}

void ghcomp_admission_promise_unused(struct thread *self)
{
  if (!self->turn.kept_after_region)
    ghcomp_admission_question_had_none(self);
  ghcomp_admission_queue_lock();
  bool kept = ghcomp_admission_promise_end(self);
  ghcomp_admission_queue_unlock();
  if (kept)
    ghcomp_admission_queue_let_in();
}

void ghcomp_admission_promise_after_fork(void)
{
  for (struct thread *t = ghcomp_thread_first(); t != NULL; t = ghcomp_thread_next(t)) {
    t->turn.kept_threads = 0;
    t->turn.promise_end = 0;
    t->turn.is_late = false;
  }
  kept_turns = kept_after_regions = late_threads = 0;
  store_relaxed(&lone, NULL);
  store_relaxed(&ghcomp_admission_promise_leaving_until, 0);
  store_relaxed(&ghcomp_admission_kept_until, 0);
}
