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

_Atomic uint64_t ghcomp_admission_promise_leaving_until;
_Atomic uint64_t ghcomp_admission_kept_until;

/* ------------------------------------------------------------------------ kept */

/* The threads that the thread has kept still count as taken.
   Requires: lock.  */
static void forget_kept(struct thread *thread)
{
  if (thread->turn.kept_after_region)
    kept_after_regions -= thread->turn.kept_threads;
  thread->turn.kept_threads = 0;
  kept_turns--;
  store_relaxed(&ghcomp_admission_promise_leaving_until, 0);
  store_relaxed(&ghcomp_admission_kept_until, 0);
}

/* Requires: lock.  */
static void give_up(struct thread *thread)
{
  ghcomp_admission_queue_put_back(thread, thread->turn.kept_threads);
  forget_kept(thread);
}

/* The thread keeps the threads that it has taken.
   Requires: lock.  */
static void keep(struct thread *self, unsigned threads, unsigned ns, bool after_region)
{
  self->turn.kept_threads = threads;
  self->turn.kept_after_region = after_region;
  if (after_region)
    kept_after_regions += threads;
  self->turn.promise_end = (ghcomp_admission_now() + cycles_in(ns)) | 1;
  self->turn.promise_end_computed = ghcomp_machine_thread_computed(load_relaxed(&self->kernel_thread)) + ns;
  kept_turns++;
  store_relaxed(&ghcomp_admission_kept_until, self->turn.promise_end);
}

void ghcomp_admission_promise_keep(struct thread *self, unsigned threads)
{
  ghcomp_admission_queue_lock();
  keep(self, threads, PROMISE_NS, false);
  ghcomp_admission_queue_unlock();
}

void ghcomp_admission_promise_stay(struct thread *self, unsigned threads, unsigned ns)
{
  keep(self, threads, ns, true);
  store_relaxed(&self->computing_thread, load_relaxed(&self->kernel_thread));
  /* Pairs with the load in ghcomp_admission_wait.  */
  store_seq_cst(&ghcomp_admission_promise_leaving_until, self->turn.promise_end);
}

/* ------------------------------------------------------------------------ late */

bool ghcomp_admission_promise_is_crowded(void)
{
  return ghcomp_admission_queue_taken() - kept_after_regions > ghcomp_icv_default_threads();
}

/* If more threads run than there is room for, a region has begun without a turn.  The thread that
   was told a number may be spinning for a lock of that region, and is not late.  A thread that
   leaves and is blocked has released its library's lock.  A thread that has not begun its region
   may be blocked because it waits for memory.
   Requires: lock.  */
static bool is_late(const struct thread *thread, uint64_t now)
{
  uint64_t until = thread->turn.promise_end;
  if (now <= until)
    return false;
  if (!thread->turn.kept_after_region && ghcomp_admission_queue_taken() > thread->turn.kept_threads &&
      ghcomp_admission_promise_is_crowded())
    return false;
  return now > until + cycles_in(PROMISE_LONGEST_NS) ||
         ghcomp_machine_thread_computed(load_relaxed(&thread->kernel_thread)) >= thread->turn.promise_end_computed ||
         (now > until + (thread->turn.kept_after_region ? 0 : cycles_in(PROMISE_BLOCKED_NS)) &&
          !ghcomp_machine_thread_runs(load_relaxed(&thread->kernel_thread)));
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
    if (t->turn.kept_threads != 0 && is_late(t, now)) {
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
  self->turn.promise_end = 0;
  return kept;
}

bool ghcomp_admission_promise_renew(struct thread *self, unsigned threads)
{
  ghcomp_admission_queue_lock();
  bool kept = self->turn.kept_threads == threads;
  if (kept) {
    forget_kept(self);
    keep(self, threads, PROMISE_NS, false);
  }
  ghcomp_admission_queue_unlock();
  return kept;
}

/* A thread that was late and has lost its turn begins all the same.  Other threads may spin for it
   by now, and to wait behind them would never end.  */
void ghcomp_admission_promise_use(struct thread *self, unsigned threads)
{
  ghcomp_admission_queue_lock();
  ghcomp_admission_promise_end(self);
  ghcomp_admission_queue_take(self, threads);
  ghcomp_admission_queue_unlock();
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
  }
  kept_turns = kept_after_regions = 0;
  store_relaxed(&ghcomp_admission_promise_leaving_until, 0);
  store_relaxed(&ghcomp_admission_kept_until, 0);
}
