/* The end of a region.  See pool.md.

   Each worker adds 1 to `joined`.  The master waits for all workers, and for the tasks that are
   left.  When the team is IDLE, no docked worker looks for its tasks any more.  */
#include "team/fork.h"

#include "base/check.h"
#include "task/deque.h"
#include "task/lineage.h"
#include "task/task.h"
#include "team/stay_in_team.h"
#include "team/team_wait.h"
#include "threads/substrate.h"
#include "wait/running.h"
#include "work/slots.h"

/* Tasks of an orphan's former team may be lost, so counts of tasks say nothing.  */
static bool orphan_has_no_task(struct team *team)
{
  return ghcomp_deque_is_empty(&team->orphan->deque) && load_relaxed(&team->tasks.queued) == 0;
}

bool ghcomp_team_is_quiescent(struct team *team)
{
  if (unlikely(team->orphan != NULL))
    return orphan_has_no_task(team);
  /* First the tasks that are done, then those that were created: see barrier.md.  The first loads
     also acquire the creation.  */
  uint64_t done = load_acquire(&team->tasks.done_elsewhere), created = 0;
  for (unsigned i = 0; i < team->size; i++)
    done += load_acquire(&team->members[i].tasks_done); /* pairs with task.c's release */
  for (unsigned i = 0; i < team->size; i++)
    created += load_relaxed(&team->members[i].tasks_created);
  return done == created;
}

static uint32_t threads_at_events(struct team *team)
{
  return (uint32_t)load_seq_cst(&team->region_state); /* pairs with the subtraction in ghcomp_event_fulfill */
}

/* Pairs with the subtraction in help; and, in close_region, with the addition in enter (worker.c).  The master is no docked
   worker of its team.  */
static bool no_helper_is_left(struct team *team)
{
  if (threads_at_events(team) != 0)
    return false;
  for (unsigned i = 1; i < team->size; i++)
    if (load_seq_cst(&team->members[i].helpers) != 0)
      return false;
  return true;
}

bool ghcomp_team_is_left(struct team *team)
{
  return no_helper_is_left(team) && ghcomp_team_is_quiescent(team);
}

/* The same, also if a helper is left that has no task any more.  A worker that is late by a region counts as a helper until it
   finds the region closed, and does not wake the master then.  So the master does not sleep because of helpers alone.  It sees
   the last task complete, or who completes it finds the announcement of the sleep: the loads pair with the subtractions as
   above.  */
static bool is_left_by_tasks(struct team *team)
{
  (void)threads_at_events(team);
  for (unsigned i = 1; i < team->size; i++)
    (void)load_seq_cst(&team->members[i].helpers);
  return ghcomp_team_is_quiescent(team);
}

struct join_wait {
  struct team_wait of;
  bool announced; /* a sleep */
};

/* The region is over: every worker has joined (in a detached region also the master), and no task
   is left.  A look at all helpers would disturb them, so it is only made before a sleep.  */
static inline bool is_over(struct wait *wait)
{
  const struct join_wait *join = (struct join_wait *)wait;
  struct team *team = join->of.team;
  return load_seq_cst(&team->joined) == team->joined_when_all && /* pairs with worker.c's addition */
         (!load_relaxed(&team->any_deferred) || (join->announced ? is_left_by_tasks(team) : ghcomp_team_is_left(team)));
}

static inline bool run_tasks(struct wait *wait)
{
  const struct team_wait *join = (struct team_wait *)wait;
  return load_relaxed(&join->team->any_deferred) && load_relaxed(&join->team->ready_hint) != 0 &&
         ghcomp_task_run_any(join->self);
}

static inline void announce(struct wait *wait)
{
  ((struct join_wait *)wait)->announced = true;
  ghcomp_team_wait_announce(wait);
}

static inline void sleep_in_join(struct wait *wait)
{
  ((struct join_wait *)wait)->announced = false;
  ghcomp_stay_in_team_before_sleep(wait);
  ghcomp_team_wait_sleep(wait);
}

static inline bool goes_on(struct wait *wait)
{
  return ghcomp_stay_in_team(wait);
}

static const struct wait_kind until_joined = {.is_over = is_over, .do_other = run_tasks, .goes_on = goes_on,
                                              .announce = announce, .sleep = sleep_in_join};

/* Not in line: the join of a team of one would save the registers that the wait needs.  */
static __attribute__((noinline)) void wait_for_members(struct thread *self, struct team *team)
{
  struct join_wait join = {.of = ghcomp_team_wait_by(self, team, 0)};
  ghcomp_wait(&until_joined, &join.of.wait);
  ghcomp_stay_in_team_learn(self);
}

static inline bool helpers_are_gone(struct wait *wait)
{
  return no_helper_is_left(((struct team_wait *)wait)->team);
}

/* They need a few instructions, and maybe this processor.  */
static inline struct spin begin_yielding(struct wait *wait)
{
  return (struct spin){.self = wait->self, .crowded = true};
}

static const struct wait_kind until_helpers_are_gone = {
    .is_over = helpers_are_gone, .begin_spin = begin_yielding, .when_spent = THEN_SPIN};

void ghcomp_team_wait_for_helpers(struct team *team)
{
  struct team_wait gone = {.wait.self = ghcomp_waiter_self, .team = team};
  ghcomp_wait(&until_helpers_are_gone, &gone.wait);
}

/* From now on no docked worker looks for tasks of this region; see pool.md, Why a docked worker
   cannot touch the wrong region.  */
static void close_region(struct team *team)
{
  /* Pairs with the load in enter (worker.c), and with the subtraction in ghcomp_event_fulfill.  */
  uint64_t old = add_seq_cst(&team->region_state, (uint64_t)1 << 32);
  team->region_number++;
  /* A docked worker enters because there may be a task.  */
  if (unlikely((uint32_t)old != 0 || load_relaxed(&team->any_deferred)))
    ghcomp_team_wait_for_helpers(team);
}

static void forget_cancellation(struct team *team)
{
  store_relaxed(&team->cancelled, false);
  store_relaxed(&team->construct_cancelled, 0);
  ghcomp_gather_reset(team);
  ghcomp_slots_reset(team);
  team->members[0].work.next_slot = team->first_slot;
}

void ghcomp_team_join(struct thread *self)
{
  struct member *member = self->member;
  struct team *team = member->team;
  if (team->size > 1 || team->detached) {
    wait_for_members(self, team);
    close_region(team);
    CHECK(ghcomp_team_is_quiescent(team));
  } else if (load_relaxed(&team->any_deferred)) {
    ghcomp_barrier_wait(self);
  }
  if (unlikely(load_relaxed(&team->any_deferred))) {
    store_relaxed(&team->any_deferred, false);
    store_relaxed(&team->ready_hint, 0); /* no task is left, so no deque has one */
  }
  if (unlikely(load_relaxed(&team->cancelled) || load_relaxed(&team->construct_cancelled)))
    forget_cancellation(team);
  ghcomp_inside_begin();
  ghcomp_task_end_implicit(member);
  ghcomp_team_unbook(team);
  ghcomp_self_serves(self, team->parent);
  if (unlikely(team->binding.assigned) && team->size > 1 && !team->detached)
    ghcomp_team_bind_back(self, self->member);
  unsigned at_end = team->at_end; /* read before the team may be in its next region */
  if (unlikely(at_end != AT_END_NOTHING))
    team->at_end = AT_END_NOTHING;
  unsigned counted = team->counted_threads;
  if (unlikely(counted != 0)) {
    team->counted_threads = 0;
    ghcomp_running_end(counted);
  }
  store_release(&team->state, TEAM_IDLE); /* pairs with the cas in pool.c */
  if (unlikely(at_end == AT_END_CALL))
    ghcomp_turn_end(self);
  ghcomp_inside_end();
  if (unlikely(load_relaxed(&ghcomp_substrate_beside_rts)) && team->level == 1 && !team->detached)
    ghcomp_make_room_for_haskell(self);
  if (unlikely(at_end == AT_END_RESUME))
    ghcomp_team_resume(self);
}

void ghcomp_team_leave(struct team *team, unsigned number)
{
  uint32_t joined_when_all = team->joined_when_all;
  struct thread *master = team->members[0].thread;
  /* The last member to leave sees what the others did, and no other thread acts on the team.  */
  if (ghcomp_gather_is_head(team, number, GATHER_JOIN) &&
      add_acq_rel(&team->joined, 1) + 1 == joined_when_all)
    ghcomp_team_join(master);
}
