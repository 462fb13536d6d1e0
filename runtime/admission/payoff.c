/* Whether turns of regions that follow no question pay.  They cost more than they save in three cases:

   * The regions of a master are brief.
   * Masters compute much between their regions.  Then more threads compute than there are processors, and the
     threads of the region that has the turn share theirs.  The region's other threads wait for these, and
     no other region may use their processors meanwhile.
   * Turns leave processors unused (share.c).  Mostly others need them: programs.  Then the region that has the turn waits
     for a processor, and all other regions wait for that region.

   The second and the third case are decided for all masters together: regions with turns would wait for those without.

   Regions that take no turn are timed now and then.  Only the thread whose region it is calls these
   functions.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "state/thread.h"

/* A region that is shorter than this costs less than a turn.  */
#define BRIEF_NS 10000u
/* The same for a region of one thread, whose members do not wait for each other.  */
#define BRIEF_ALONE_NS 100000u
/* Turns no longer pay when masters compute between two regions for more than one MUCH-th of a region, and pay again
   below one LITTLE-th; what is shorter than BETWEEN_LEAST_NS is the start of the next region.  */
enum { MUCH = 4, LITTLE = 8 };
#define BETWEEN_LEAST_NS 20000u
/* If turns leave processors unused, they are tried again after RETRY_SOONEST_NS, and then after twice the time each, as
   long as they do not pay for CALM_NS.  A trial takes some milliseconds.  If others have a part of the processors without
   turns, too, there is no trial before the longest time.  OTHERS_NS tells whether they have.  */
#define OTHERS_NS 20000000u
#define RETRY_SOONEST_NS 50000000u
#define RETRY_LATEST_NS 1600000000u
#define CALM_NS 1000000000u
/* One of so many regions without a turn is timed.  */
#define UNTIMED_REGIONS 63
/* To ask for processor time is a system call.  So a thread asks at one of so many timed regions, but sooner at its first:
   its first look is followed by the second at once, then 2, 4, 6 regions are left out.  The distance is odd, because some
   libraries always start two regions, and compute after the second.  */
#define REGIONS_PER_LOOK 7

/* What masters compute in a region, and from one to the next: averages of all, and the decision.  Not the time that
   passes: without turns regions take the longer, the more of them run.  Relaxed: an update may be lost.  */
static _Atomic uint64_t region_cycles, between_cycles;

static _Atomic uint64_t retry_after, tried_at; /* cycles */
static _Atomic uint64_t check_at;              /* cycles; NOBODY: a thread checks */
#define NOBODY UINT64_MAX

/* Why turns do not pay now; 0: they do.  Others compute, as far as is known, if turns leave processors unused.  */
enum { MASTERS_COMPUTE = 1, UNUSED = 2, OTHERS_COMPUTE = 4 };
static _Atomic unsigned reasons;

static uint64_t average(uint64_t before, uint64_t now)
{
  return before != 0 ? (7 * before + now) / 8 : now | 1;
}

static uint64_t has_computed(const struct thread *self)
{
  return ghcomp_machine_thread_computed(load_relaxed(&self->kernel_thread));
}

bool ghcomp_admission_payoff_is_none(void)
{
  return load_relaxed(&reasons) != 0;
}

bool ghcomp_admission_masters_compute(void)
{
  return (load_relaxed(&reasons) & MASTERS_COMPUTE) != 0;
}

bool ghcomp_admission_payoff_is_unused(void)
{
  return (load_relaxed(&reasons) & UNUSED) != 0;
}

bool ghcomp_admission_payoff_others_compute(void)
{
  return (load_relaxed(&reasons) & OTHERS_COMPUTE) != 0;
}

/* ----------------------------------------------------------------------- learns */

/* An average.  A region that took long because other threads had the processor counts only in part.  */
static void learn_length(struct thread_turn *turn, uint64_t took)
{
  uint64_t before = turn->region_took;
  if (before != 0 && took > 4 * before)
    took = 4 * before;
  uint64_t now = before != 0 ? (3 * before + took) / 4 : took;
  turn->region_took = now > UINT32_MAX ? UINT32_MAX : (uint32_t)now;
}

/* The threads that wait would wait for nothing.  */
static void end_queue(void)
{
  ghcomp_admission_queue_lock();
  struct thread *first = ghcomp_admission_queue_first();
  if (first != NULL && !first->turn.in_question)
    ghcomp_admission_queue_open_past_blocked();
  ghcomp_admission_queue_unlock();
  if (first != NULL)
    ghcomp_admission_queue_let_in();
}

static void go_without_for_a_while(uint64_t now)
{
  bool was_calm = now - load_relaxed(&tried_at) > cycles_in(CALM_NS);
  uint64_t after = was_calm ? cycles_in(RETRY_SOONEST_NS) : 2 * load_relaxed(&retry_after);
  if (after > cycles_in(RETRY_LATEST_NS))
    after = cycles_in(RETRY_LATEST_NS);
  store_relaxed(&retry_after, after);
  ghcomp_admission_share_begin_without(now);
  store_relaxed(&check_at, now + cycles_in(OTHERS_NS));
  or_relaxed(&reasons, UNUSED | OTHERS_COMPUTE);
  end_queue();
}

void ghcomp_admission_payoff_leaves_unused(void)
{
  /* Under a quota the process gets no more, with turns or without them.  */
  if (!ghcomp_machine_has_quota() && !ghcomp_admission_payoff_is_unused())
    go_without_for_a_while(ghcomp_admission_now());
}

/* Returns when to check again.  */
static uint64_t check(uint64_t now)
{
  bool others = !ghcomp_admission_share_is_nearly_all(now);
  uint64_t after = load_relaxed(&retry_after), retry_at = ghcomp_admission_share_began_without() + after;
  if (others)
    or_relaxed(&reasons, OTHERS_COMPUTE);
  else
    and_relaxed(&reasons, ~(unsigned)OTHERS_COMPUTE);
  if (now < retry_at)
    return retry_at;
  if (others && after < cycles_in(RETRY_LATEST_NS)) {
    store_relaxed(&retry_after, 2 * after);
    ghcomp_admission_share_begin_without(now);
    return now + 2 * after;
  }
  store_relaxed(&tried_at, now);
  and_relaxed(&reasons, ~(unsigned)(UNUSED | OTHERS_COMPUTE));
  return 0;
}

void ghcomp_admission_payoff_check(void)
{
  if (likely(!ghcomp_admission_payoff_is_unused()))
    return;
  uint64_t now = ghcomp_admission_now();
  if (now < load_relaxed(&check_at) || swap_relaxed(&check_at, NOBODY) == NOBODY)
    return;
  store_relaxed(&check_at, check(now));
}

void ghcomp_admission_payoff_begin(struct thread *self)
{
  self->turn.looks_at_this = self->turn.looks_in == 0 || ghcomp_admission_payoff_is_none();
  if (self->turn.looks_at_this)
    self->turn.computed = has_computed(self);
}

void ghcomp_admission_payoff_learn(struct thread *self, unsigned counted)
{
  struct thread_turn *turn = &self->turn;
  uint64_t took = ghcomp_admission_now() - turn->region_began;
  learn_length(turn, took);
  turn->is_brief = turn->region_took < cycles_in(counted == 1 ? BRIEF_ALONE_NS : BRIEF_NS);
  turn->untimed_left = UNTIMED_REGIONS;
  if (!turn->looks_at_this) {
    turn->looks_in -= turn->looks_in != 0;
    return;
  }
  uint64_t computed = has_computed(self);
  store_relaxed(&region_cycles, average(load_relaxed(&region_cycles), cycles_in(computed - turn->computed)));
  turn->looks_in = turn->looks_after;
  turn->looks_after += turn->looks_after < REGIONS_PER_LOOK - 1 ? 2 : 0;
  turn->looks_at_next = true;
  turn->computed = computed;
}

static void decide(uint64_t between)
{
  bool before = ghcomp_admission_masters_compute();
  uint64_t part = load_relaxed(&region_cycles) / (before ? LITTLE : MUCH);
  bool now = between > cycles_in(BETWEEN_LEAST_NS) && between > part;
  if (before && !now)
    and_relaxed(&reasons, ~(unsigned)MASTERS_COMPUTE);
  if (before || !now)
    return;
  or_relaxed(&reasons, MASTERS_COMPUTE);
  end_queue();
}

void ghcomp_admission_payoff_look(struct thread *self)
{
  uint64_t between = cycles_in(has_computed(self) - self->turn.computed);
  self->turn.looks_at_next = false;
  store_relaxed(&between_cycles, average(load_relaxed(&between_cycles), between));
  decide(load_relaxed(&between_cycles));
}

void ghcomp_admission_payoff_after_fork(void)
{
  store_relaxed(&reasons, 0);
  ghcomp_admission_share_forget();
  store_relaxed(&region_cycles, 0);
  store_relaxed(&between_cycles, 0);
  for (struct thread *t = ghcomp_thread_first(); t != NULL; t = ghcomp_thread_next(t))
    t->turn.looks_at_this = t->turn.looks_at_next = false; /* the clock of its OS thread has begun anew */
}
