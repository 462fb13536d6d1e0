/* Whether turns of regions that follow no question pay.  They cost more than they save in two cases:

   * The regions of a master are brief.
   * Masters compute much between their regions.  Then more threads compute than there are processors, and the
     threads of the region that has the turn share theirs.  The region's other threads wait for these, and
     no other region may use their processors meanwhile.  So the second case is decided for all masters together:
     regions with turns would wait for those without.

   Regions that take no turn are timed now and then.  Only the thread whose region it is calls these
   functions.  */
#include "admission/queue.h"

#include "base/cycles.h"
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
/* One of so many regions without a turn is timed.  */
#define UNTIMED_REGIONS 63
/* To ask for processor time is a system call.  So a thread asks after one of so many timed regions.  An odd
   number: some libraries always start two regions, and compute after the second.  */
#define REGIONS_PER_LOOK 7

/* Averages of all masters, and the decision.  Relaxed: an update may be lost.  */
static _Atomic uint64_t region_cycles, between_cycles;
static _Atomic bool none;

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
  return load_relaxed(&none);
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

void ghcomp_admission_payoff_learn(struct thread *self, unsigned counted)
{
  struct thread_turn *turn = &self->turn;
  uint64_t took = ghcomp_admission_now() - turn->region_began;
  learn_length(turn, took);
  turn->is_brief = turn->region_took < cycles_in(counted == 1 ? BRIEF_ALONE_NS : BRIEF_NS);
  turn->untimed_left = UNTIMED_REGIONS;
  if (!load_relaxed(&none) && turn->looks_in != 0) {
    turn->looks_in--;
    return;
  }
  turn->looks_in = REGIONS_PER_LOOK - 1;
  turn->computed = has_computed(self);
  store_relaxed(&region_cycles, average(load_relaxed(&region_cycles), took));
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

static void decide(uint64_t between)
{
  bool before = load_relaxed(&none);
  uint64_t part = load_relaxed(&region_cycles) / (before ? LITTLE : MUCH);
  bool now = between > cycles_in(BETWEEN_LEAST_NS) && between > part;
  if (now != before)
    store_relaxed(&none, now);
  if (now && !before)
    end_queue();
}

void ghcomp_admission_payoff_look(struct thread *self)
{
  uint64_t between = cycles_in(has_computed(self) - self->turn.computed);
  self->turn.computed = 0;
  store_relaxed(&between_cycles, average(load_relaxed(&between_cycles), between));
  decide(load_relaxed(&between_cycles));
}

void ghcomp_admission_payoff_after_fork(void)
{
  store_relaxed(&none, false);
  store_relaxed(&region_cycles, 0);
  store_relaxed(&between_cycles, 0);
}
