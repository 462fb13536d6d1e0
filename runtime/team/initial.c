/* Teams of one thread: the team outside every region, nested initial contexts, and what is left of
   a team in a forked child.  */
#include "team/fork.h"

#include "base/memory.h"
#include "task/lineage.h"
#include "task/task.h"
#include "team/team.h"
#include "team/team_wait.h"
#include "team/thread.h"
#include "wait/lock.h"
#include "work/slots.h"

/* -------------------------------------------------------------- initial teams */

void ghcomp_team_begin_initial(struct team *team, struct thread *thread)
{
  struct member *member = &team->members[0];
  team->size = 1;
  team->stack_share = STACK_PART_MOST;
  ghcomp_team_set_detached(team, false);
  ghcomp_gather_shape(team);
  team->level = 0;
  team->active_level = 0;
  team->parent = NULL;
  team->icv = &ghcomp_settings.initial;
  team->group = NULL;
  team->preset = PRESET_NONE;
  team->contention = &team->own_contention;
  store_relaxed(&team->own_contention.threads, 1);
  team->num_teams = 1;
  team->team_num = 0;
  member->thread = thread;
  member->place = 0;
  member->partition = (struct partition){0, ghcomp_places.count};
  ghcomp_slots_reset(team);
  member->work.next_slot = team->first_slot;
  member->work.loop.kind = LOOP_NONE;
  ghcomp_task_begin_implicit(thread, member);
  member->deep_stack_below = UINTPTR_MAX; /* until its thread begins there */
}

struct team *ghcomp_team_make_initial(struct thread *thread)
{
  struct team *team = ghcomp_reuse_try_team(1);
  if (team != NULL)
    ghcomp_team_begin_initial(team, thread);
  return team;
}

void ghcomp_team_unmake_initial(struct team *team)
{
  ghcomp_team_cool(&team->members[0], team->members[0].thread);
  ghcomp_task_end_implicit(&team->members[0]);
  ghcomp_reuse_return_team(team);
}

void *ghcomp_team_push_initial(struct icv *icv)
{
  struct thread *self = ghcomp_self();
  struct member *outer = self->member;
  struct team *team = ghcomp_memory_demand(ghcomp_team_make_initial(self), sizeof *team);
  team->icv = icv;
  team->members[0].task->icv = icv;
  team->members[0].place = outer->place;
  team->members[0].partition = outer->partition;
  ghcomp_self_serves(self, &team->members[0]);
  return outer;
}

void ghcomp_team_pop_initial(void *saved)
{
  struct thread *self = ghcomp_self();
  struct team *team = self->member->team;
  if (load_relaxed(&team->any_deferred))
    ghcomp_barrier_wait(self);
  ghcomp_self_serves(self, saved);
  ghcomp_team_unmake_initial(team);
}

/* ------------------------------------------------------------------------ fork */

/* The thread that held a lock may have been in the middle of a change.  */
static void free_task_locks(struct team *team)
{
  store_relaxed(&team->tasks.lineage_lock, LOCK_FREE);
  if (load_relaxed(&team->tasks.queue_lock) == LOCK_FREE)
    return;
  store_relaxed(&team->tasks.queue_lock, LOCK_FREE);
  store_relaxed(&team->tasks.queued, 0);
  team->tasks.queues = NULL;
}

/* The member keeps its place in `members`, because tasks and stacks point to it.  Of the other
   members only the first is still looked at.  Barriers and joins that wait for other members
   end.  */
static void leave_alone(struct team *team, struct member *m, struct thread *self)
{
  struct member *first = &team->members[0];
  if (first != m)
    ghcomp_deque_forget(&first->deque);
  first->thread = self;
  team->orphan = m;
  team->size = 1;
  ghcomp_team_set_detached(team, false);
  store_relaxed(&team->joined, 0);
  team->joined_when_all = 0;
  store_relaxed(&team->crew.parked, 0);
  uint32_t phase = load_relaxed(&team->barrier.phase);
  ghcomp_gather_shape(team); /* begins at phase 0 */
  store_relaxed(&team->barrier.phase, phase + 1);
}

void ghcomp_team_isolate(struct member *m, struct thread *self)
{
  struct team *team = m->team;
  m->hot = NULL;
  m->number = 0;
  m->thread = self;
  team->pool.listed = false;
  team->workers = 0;
  team->counted_threads = 0;
  store_relaxed(&team->contention->threads, 1);
  store_relaxed(&team->region_state, load_relaxed(&team->region_state) & ~(uint64_t)UINT32_MAX);
  free_task_locks(team);
  if (team->size > 1)
    leave_alone(team, m, self);
}
