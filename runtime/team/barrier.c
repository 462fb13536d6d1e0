/* The team barrier.  See barrier.md.

   Invariant: phase p ends exactly when arrived == (p + 1) * heads and the team is quiescent.
   Neither counter is reset, so a fast thread in the next barrier is not confused with a slow one in
   this barrier.  Any thread may find that the phase can end; a compare-and-swap lets one end
   it.  */
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
  return ghcomp_search_pays(p->of.self, p->of.team) && run_tasks(p->of.self, p->of.team, p->phase);
}

static inline bool goes_on(struct wait *wait)
{
  const struct team_wait *w = (struct team_wait *)wait;
  return ghcomp_search_goes_on(w->self, w->team) || ghcomp_stay_in_team(wait);
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

static __attribute__((noinline)) void wait_for_phase(struct thread *self, struct team *team,
                                                     uint32_t phase, bool cancellable)
{
  struct phase_wait p = {.of = ghcomp_team_wait_by(self, team, ghcomp_look_pauses(&self->waiter)), .phase = phase,
                         .cancellable = cancellable, .timer = ghcomp_look_timer_start(&self->waiter)};
  ghcomp_wait(&until_phase, &p.of.wait);
  ghcomp_stay_in_team_learn(self);
  ghcomp_search_end(self);
  if (p.slept && ghcomp_gather_is_tree(team) && has_ended(team, phase))
    ghcomp_relay_wake_more(team);
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

static __attribute__((noinline)) void arrive(struct thread *self, struct team *team,
                                             bool cancellable)
{
  uint32_t phase = load_relaxed(&team->barrier.phase);
  ghcomp_count(&self->waiter.counters, STAT_BARRIERS);
  /* Releases this member's work; the last member to arrive acquires the work of all.  */
  bool last = ghcomp_gather_is_head(team, self->member->number, team->size, GATHER_BARRIER) &&
              add_acq_rel(&team->barrier.arrived, 1) + 1 == (phase + 1) * team->heads;
  if (last && (!load_relaxed(&team->any_deferred) || ghcomp_team_is_quiescent(team)) &&
      end_phase(team, phase))
    return;
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
