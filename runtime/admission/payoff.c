/* Whether turns of regions that follow no question pay.  They cost more than they save in three cases:

   * The regions of a master are brief.
   * Masters compute much between their regions.  Then more threads compute than there are processors, and the
     threads of the region that has the turn share theirs.  The region's other threads wait for these, and
     no other region may use their processors meanwhile.
   * Others need the processors: programs, or threads of this program that are none of ours.  Then the region that has
     the turn waits for a processor, and all other regions wait for that region.

   The second and the third case are decided for all masters together: regions with turns would wait for those without.

   Regions that take no turn are timed now and then.  Only the thread whose region it is calls these
   functions.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "state/thread.h"
#include "threads/substrate.h"

/* A region that is shorter than this costs less than a turn.  */
#define BRIEF_NS 10000u
/* The same for a region of one thread, whose members do not wait for each other.  */
#define BRIEF_ALONE_NS 100000u
/* Turns no longer pay when masters compute between two regions for more than one MUCH-th of a region, and pay again
   below one LITTLE-th; what is shorter than BETWEEN_LEAST_NS is the start of the next region.  */
enum { MUCH = 4, LITTLE = 8 };
#define BETWEEN_LEAST_NS 20000u
/* Turns no longer pay when regions take more than TOO_LONG times what their masters compute.  All begins as if regions
   had taken BEFORE_NS without delay.  After RETRY_SOONEST_NS turns are tried again, and then after twice the time each, as
   long as they do not pay for CALM_NS.  */
enum { TOO_LONG = 2 };
#define BEFORE_NS 2000000u
#define RETRY_SOONEST_NS 50000000u
#define RETRY_LATEST_NS 1600000000u
#define CALM_NS 1000000000u
/* One of so many regions without a turn is timed.  */
#define UNTIMED_REGIONS 63
/* To ask for processor time is a system call.  So a thread asks after one of so many timed regions.  An odd
   number: some libraries always start two regions, and compute after the second.  A thread asks more often at first: its
   second question comes one region after the first, the next one two regions later, and so on.  */
#define REGIONS_PER_LOOK 7

/* Averages of all masters, and the decision.  Relaxed: an update may be lost.  */
static _Atomic uint64_t region_cycles, between_cycles;

/* What regions with turns took, and their masters computed, in total; what is long ago counts less.  0: nothing is known.  */
static _Atomic uint64_t all_took, all_computed;
static _Atomic uint64_t retry_after, retry_at, tried_at; /* cycles */

/* Why turns do not pay now; 0: they do.  */
enum { MASTERS_COMPUTE = 1, OTHERS_COMPUTE = 2 };
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

static void assume_no_delay(void)
{
  store_relaxed(&all_took, cycles_in(BEFORE_NS));
  store_relaxed(&all_computed, cycles_in(BEFORE_NS));
}

static void go_without_for_a_while(uint64_t now)
{
  bool was_calm = now - load_relaxed(&tried_at) > cycles_in(CALM_NS);
  uint64_t after = was_calm ? cycles_in(RETRY_SOONEST_NS) : 2 * load_relaxed(&retry_after);
  if (after > cycles_in(RETRY_LATEST_NS))
    after = cycles_in(RETRY_LATEST_NS);
  store_relaxed(&retry_after, after);
  store_relaxed(&retry_at, now + after);
  or_relaxed(&reasons, OTHERS_COMPUTE);
  assume_no_delay();
  end_queue();
}

static bool queue_is_open(void)
{
  ghcomp_admission_queue_lock();
  bool open = ghcomp_admission_queue_is_open();
  ghcomp_admission_queue_unlock();
  return open;
}

/* Under a quota, and where Haskell threads compute, regions are delayed, too, but turns pay.  While the queue is open, regions
   are blocked, and need no processor.  */
static void learn_delay(uint64_t took, uint64_t computed)
{
  if (ghcomp_machine_has_quota() || ghcomp_substrate_host_busy() != 0 || queue_is_open())
    return;
  if (load_relaxed(&all_took) == 0)
    assume_no_delay();
  uint64_t long_ago_took = load_relaxed(&all_took) / 8 * 7, long_ago_computed = load_relaxed(&all_computed) / 8 * 7;
  store_relaxed(&all_took, long_ago_took + took);
  store_relaxed(&all_computed, long_ago_computed + computed);
  if (long_ago_took + took > TOO_LONG * (long_ago_computed + computed))
    go_without_for_a_while(ghcomp_admission_now());
}

static void try_again(void)
{
  uint64_t now = ghcomp_admission_now();
  if ((load_relaxed(&reasons) & OTHERS_COMPUTE) == 0 || now < load_relaxed(&retry_at))
    return;
  store_relaxed(&tried_at, now);
  and_relaxed(&reasons, ~(unsigned)OTHERS_COMPUTE);
}

/* The thread has computed for so long, in regions and between them, since it was asked last.  Where Haskell threads leave one
   thread for a region, it waits for no other.  */
static void look(struct thread_turn *turn, uint64_t computed, unsigned counted)
{
  bool alone = counted == 1 && ghcomp_machine_processors() != 1;
  if (turn->computed != 0 && !alone && !ghcomp_admission_payoff_is_none())
    learn_delay(turn->took_since, cycles_in(computed - turn->computed));
  turn->computed = computed;
  turn->looks_at_next = true;
  turn->took_since = 0;
}

void ghcomp_admission_payoff_learn(struct thread *self, unsigned counted)
{
  struct thread_turn *turn = &self->turn;
  uint64_t took = ghcomp_admission_now() - turn->region_began;
  learn_length(turn, took);
  turn->is_brief = turn->region_took < cycles_in(counted == 1 ? BRIEF_ALONE_NS : BRIEF_NS);
  turn->untimed_left = UNTIMED_REGIONS;
  turn->took_since += took;
  if (!ghcomp_admission_payoff_is_none() && turn->looks_in != 0) {
    turn->looks_in--;
    return;
  }
  turn->looks_in = turn->looks;
  turn->looks += turn->looks < REGIONS_PER_LOOK - 1;
  look(turn, has_computed(self), counted);
  store_relaxed(&region_cycles, average(load_relaxed(&region_cycles), took));
}

static void decide(uint64_t between)
{
  bool before = (load_relaxed(&reasons) & MASTERS_COMPUTE) != 0;
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
  try_again();
}

void ghcomp_admission_payoff_after_fork(void)
{
  store_relaxed(&reasons, 0);
  store_relaxed(&all_took, 0);
  store_relaxed(&region_cycles, 0);
  store_relaxed(&between_cycles, 0);
}
