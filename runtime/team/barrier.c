/* The team barrier.  See barrier.md.

   Invariant: phase p ends exactly when arrived == (p + 1) * heads and the team is quiescent.
   Neither counter is reset, so a fast thread in the next barrier is not confused with a slow one in
   this barrier.  Any thread may find that the phase can end; a compare-and-swap lets one end
   it.

   In a team that is released by groups: a member that leaves phase p has seen p + 1 in its group's word, or written it
   there.  */
#include "team/team.h"

#include "base/stats.h"
#include "team/stay_in_team.h"
#include "team/team_wait.h"
#include "wait/line_cost.h"

static bool is_member(const struct team *team)
{
  const struct thread *self = ghcomp_self_pointer;
  return self != NULL && self->member->team == team;
}

static void wake_sleepers(struct team *team)
{
  if (ghcomp_gather_is_tree(team) && is_member(team)) {
    /* Pairs with the addition to `parked` in ghcomp_parking_prepare.  */
    if (load_seq_cst(&team->crew.parked) != 0)
      ghcomp_relay_wake_all(team);
  } else {
    ghcomp_parking_wake_crew(&team->crew);
  }
}

/* Ends the phase.  A thread that acquires `phase` sees what members did before. */
static bool end_phase(struct team *team, uint32_t phase)
{
  /* Pairs with the load in has_ended.  Both are sequentially consistent, as the
     announcements of sleepers and the look at them are.  */
  if (!cas_seq_cst(&team->barrier.phase, &phase, phase + 1))
    return false;
  wake_sleepers(team);
  return true;
}

static void end_phase_if_quiescent(struct team *team, uint32_t phase)
{
  /* The addition of 0 orders this thread's completed tasks before the look at the arrivals.  Pairs
     with the addition in arrive.  */
  if (add_acq_rel(&team->barrier.arrived, 0) == (phase + 1) * team->heads &&
      ghcomp_team_is_quiescent(team))
    end_phase(team, phase);
}

void ghcomp_barrier_look(struct team *team)
{
  end_phase_if_quiescent(team, load_relaxed(&team->barrier.phase));
}

/* Sequentially consistent because it is also the look before sleeping; see parking.md.  */
static bool has_ended(struct team *team, uint32_t phase)
{
  return load_seq_cst(&team->barrier.phase) != phase; /* pairs with end_phase */
}

static bool is_cancelled(struct team *team)
{
  return load_seq_cst(&team->cancelled); /* pairs with cancel.c */
}

/* Executes ready tasks.  One of them may have been the last, so the phase may end.  */
static bool run_tasks(struct thread *self, struct team *team, uint32_t phase)
{
  if (!ghcomp_task_run_any_while(self, &team->barrier.phase, phase))
    return false;
  while (ghcomp_task_run_any_while(self, &team->barrier.phase, phase))
    ;
  end_phase_if_quiescent(team, phase);
  return true;
}

struct phase_wait {
  struct team_wait of;
  uint32_t phase;
  bool cancellable, slept;
  struct look_timer timer;
};

static inline bool phase_is_over(struct wait *wait)
{
  struct phase_wait *p = (struct phase_wait *)wait;
  ghcomp_look_begin(&p->timer);
  return ghcomp_look_end(&p->timer, has_ended(p->of.team, p->phase)) ||
         (p->cancellable && is_cancelled(p->of.team));
}

static inline bool run_tasks_of_phase(struct wait *wait)
{
  struct phase_wait *p = (struct phase_wait *)wait;
  struct thread *self = p->of.self;
  return ghcomp_search_pays(self, self->member->search_group[GATHER_BARRIER], p->of.team) &&
         run_tasks(self, p->of.team, p->phase);
}

static inline bool goes_on(struct wait *wait)
{
  const struct team_wait *w = (struct team_wait *)wait;
  return ghcomp_search_goes_on(w->self, w->self->member->search_group[GATHER_BARRIER], w->team) || ghcomp_stay_in_team(wait);
}

static inline void sleep_in_phase(struct wait *wait)
{
  ghcomp_stay_in_team_before_sleep(wait);
  ghcomp_team_wait_sleep(wait);
  ((struct phase_wait *)wait)->slept = true;
}

static const struct wait_kind until_phase = {.is_over = phase_is_over, .do_other = run_tasks_of_phase,
                                             .goes_on = goes_on, .announce = ghcomp_team_wait_announce,
                                             .sleep = sleep_in_phase};

static inline struct phase_wait phase_wait_by(struct thread *self, struct team *team, uint32_t phase, bool cancellable)
{
  return (struct phase_wait){.of = ghcomp_team_wait_by(self, team, ghcomp_look_pauses(&self->waiter)), .phase = phase,
                             .cancellable = cancellable, .timer = ghcomp_look_timer_start(&self->waiter)};
}

static inline void phase_wait_ends(struct phase_wait *p)
{
  ghcomp_stay_in_team_learn(p->of.self);
  ghcomp_search_end(p->of.self);
  if (unlikely(p->of.self->tasks.may_have_been_woken))
    ghcomp_ready_pass_on(p->of.self);
  if (p->slept && ghcomp_gather_is_tree(p->of.team) && has_ended(p->of.team, p->phase))
    ghcomp_relay_wake_more(p->of.team);
}

static __attribute__((noinline)) void wait_for_phase(struct thread *self, struct team *team,
                                                     uint32_t phase, bool cancellable)
{
  struct phase_wait p = phase_wait_by(self, team, phase, cancellable);
  ghcomp_wait(&until_phase, &p.of.wait);
  phase_wait_ends(&p);
}

/* ------------------------------------------------------------------ by groups */

/* Who tells the group may have lost its processor.  So one look of so many is at the phase itself: rarely enough that the
   group's other members seldom come to that line together.  */
enum { LOOKS_AT_GROUP = 64 };

struct group_wait {
  struct phase_wait of;
  const _Atomic uint32_t *released; /* the group's */
  unsigned looks;
  bool announced; /* a sleep: whoever ends the phase looks for sleepers after that, and so the last look is at the phase */
};

/* Where tasks were deferred, members look at the phase anyway before they execute one.  */
static inline bool is_told(struct group_wait *g)
{
  struct team *team = g->of.of.team;
  if (g->announced || ++g->looks % LOOKS_AT_GROUP == 0 || load_relaxed(&team->any_deferred))
    return has_ended(team, g->of.phase);
  return load_acquire(g->released) != g->of.phase; /* pairs with tell_group */
}

static inline bool group_is_released(struct wait *wait)
{
  struct group_wait *g = (struct group_wait *)wait;
  ghcomp_look_begin(&g->of.timer);
  return ghcomp_look_end(&g->of.timer, is_told(g)) || (g->of.cancellable && is_cancelled(g->of.of.team));
}

static inline void announce_in_group(struct wait *wait)
{
  ((struct group_wait *)wait)->announced = true;
  ghcomp_team_wait_announce(wait);
}

static const struct wait_kind until_told = {.is_over = group_is_released, .do_other = run_tasks_of_phase, .goes_on = goes_on,
                                            .announce = announce_in_group, .sleep = sleep_in_phase};

static __attribute__((noinline)) void wait_in_group(struct thread *self, struct team *team, uint32_t phase, bool cancellable,
                                                    const _Atomic uint32_t *released)
{
  struct group_wait g = {.of = phase_wait_by(self, team, phase, cancellable), .released = released};
  g.of.of.wait.pauses_per_look = 1; /* few look at the line, so a look keeps its writer from it for a short time only */
  ghcomp_wait(&until_told, &g.of.of.wait);
  phase_wait_ends(&g.of);
}

/* The wait is over, also where the region was cancelled.  */
static void tell_group(struct team *team, _Atomic uint32_t *released, uint32_t phase)
{
  if (load_relaxed(released) == phase && has_ended(team, phase))
    store_release(released, phase + 1); /* pairs with is_told */
}

static inline bool is_left(struct wait *wait)
{
  return ghcomp_team_is_left(((struct team_wait *)wait)->team);
}

static inline bool run_any(struct wait *wait)
{
  return ghcomp_task_run_any(((struct team_wait *)wait)->self);
}

/* A thread that fulfills an event may make tasks ready; it wakes this thread afterwards.  */
static const struct wait_kind until_no_task = {.is_over = is_left, .do_other = run_any,
                                               .announce = ghcomp_team_wait_announce,
                                               .sleep = ghcomp_team_wait_sleep};

/* In a team of one the barrier waits for tasks only.  */
static __attribute__((noinline)) void finish_tasks_alone(struct thread *self, struct team *team)
{
  struct team_wait alone = ghcomp_team_wait_by(self, team, 0);
  ghcomp_wait(&until_no_task, &alone.wait);
  ghcomp_team_wait_for_helpers(team);
}

/* True: all have arrived, and the caller has ended the phase.  */
static inline bool arrive_at_counter(struct team *team, uint32_t phase)
{
  /* Releases this member's work; the last member to arrive acquires the work of all.  */
  return add_acq_rel(&team->barrier.arrived, 1) + 1 == (phase + 1) * team->heads &&
         (!load_relaxed(&team->any_deferred) || ghcomp_team_is_quiescent(team)) && end_phase(team, phase);
}

static __attribute__((noinline)) void arrive_in_tree(struct thread *self, struct team *team, bool cancellable)
{
  unsigned number = self->member->number;
  _Atomic uint32_t *released = &team->members[number - number % MEMBER_GROUP].group.released;
  bool by_groups = team->released_by_groups;
  /* The group's word is the phase, because this member has seen or written it there.  */
  uint32_t phase = load_relaxed(by_groups ? released : &team->barrier.phase);
  unsigned levels = ghcomp_gather_climb(team, number, GATHER_BARRIER);
  if (by_groups && levels < GATHER_LEVELS_OF_GROUP)
    wait_in_group(self, team, phase, cancellable, released);
  else if (levels != GATHER_TOP || !arrive_at_counter(team, phase))
    wait_for_phase(self, team, phase, cancellable);
  if (by_groups)
    tell_group(team, released, phase);
}

static __attribute__((noinline)) void arrive(struct thread *self, struct team *team,
                                             bool cancellable)
{
  ghcomp_count(&self->waiter.counters, STAT_BARRIERS);
  if (ghcomp_gather_is_tree(team)) {
    arrive_in_tree(self, team, cancellable);
    return;
  }
  uint32_t phase = load_relaxed(&team->barrier.phase);
  if (!arrive_at_counter(team, phase))
    wait_for_phase(self, team, phase, cancellable);
}

static inline void arrive_and_wait(struct thread *self, bool cancellable)
{
  struct team *team = self->member->team;
  if (team->size != 1) {
    arrive(self, team, cancellable);
    return;
  }
  store_relaxed(&team->construct_cancelled, 0);
  if (unlikely(load_relaxed(&team->any_deferred)))
    finish_tasks_alone(self, team);
}

void ghcomp_barrier_wait_slowly(struct thread *self)
{
  arrive_and_wait(self, false);
}

bool ghcomp_barrier_wait_cancel(struct thread *self)
{
  struct team *team = self->member->team;
  if (is_cancelled(team))
    return true;
  arrive_and_wait(self, true);
  return is_cancelled(team);
}
