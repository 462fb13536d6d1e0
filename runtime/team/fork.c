/* The start of a region.

   A region on a hot team costs the master one write for each worker (the mailbox), and each worker
   one addition to `joined`.  Nothing is locked and nothing is allocated.  Each member reads from
   the team what it starts with.

   Invariant: while `state` is BUSY, members[1…size-1] have a thread each, and only these threads
   and the master act on the team.  While `state` is IDLE no thread acts on the team, and the pool
   may take the workers (pool.md).  */
#include "team/fork.h"

#include "base/check.h"
#include "base/stats.h"
#include "task/lineage.h"
#include "task/stack.h"
#include "task/task.h"
#include "team/team_wait.h"
#include "team/thread.h"
#include "threads/substrate.h"
#include "wait/running.h"
#include "work/schedule.h"

/* ------------------------------------------------------------ what members get */

/* nthreads-var at one level, and below: the list of the clause, or what is left of an outer region's list.  */
static void inherit_list(struct icv *own, const struct region *region)
{
  unsigned inner_levels = region->inner_list != NULL ? region->inner_list->inner_levels : own->inner_levels;
  const int *inner_threads = region->inner_list != NULL ? region->inner_list->inner_threads : own->inner_threads;
  own->nthreads = inner_threads[0] > 0 ? (unsigned)inner_threads[0] : own->nthreads;
  own->inner_levels = inner_levels - 1;
  own->inner_threads = inner_threads + 1;
}

static __attribute__((noinline)) struct icv *inherit_changed(struct team *team, struct icv *icv, const struct region *region)
{
  const struct settings *s = &ghcomp_settings;
  unsigned level = team->level, bind_clause = region->bind;
  bool clause_listed = region->inner_list != NULL || icv->inner_levels != 0;
  bool clause_spent = !clause_listed && icv->inner_threads != NULL; /* its last number is for all levels below, too */
  bool threads_listed = level < s->nthreads_list_length && !clause_spent;
  bool bind_listed = level < s->bind_list_length;
  bool bind_named = bind_clause != 0 && icv->bind != BIND_FALSE && bind_clause != icv->bind;
  if (!threads_listed && !bind_listed && !clause_listed && !bind_named)
    return icv;
  team->own_icv = *icv;
  if (clause_listed)
    inherit_list(&team->own_icv, region);
  else if (threads_listed)
    team->own_icv.nthreads = s->nthreads_list[level];
  if (bind_listed)
    team->own_icv.bind = s->bind_list[level];
  else if (bind_named)
    team->own_icv.bind = (unsigned char)bind_clause;
  return &team->own_icv;
}

/* The ICVs of the implicit tasks: those of the parent task, except for a list that has another
   value for this level, and for a proc_bind clause if no list has one.  A clause's list comes before
   the environment's.  Spec: 5.2, 2.4.  */
static inline struct icv *inherit_icv(struct team *team, struct icv *icv, const struct region *region)
{
  bool listed = team->level < ghcomp_settings.listed_levels || region->inner_list != NULL || icv->inner_levels != 0;
  return likely(!listed && region->bind == 0) ? icv : inherit_changed(team, icv, region);
}

static void assign_places(struct team *team, unsigned policy)
{
  struct member *parent = team->parent;
  struct partition from = parent->partition;
  if (team->binding.assigned && team->binding.policy == policy && team->binding.parent_place == parent->place &&
      team->binding.parent_partition.first == from.first &&
      team->binding.parent_partition.length == from.length)
    return;
  for (unsigned i = 0; i < team->size; i++)
    ghcomp_places_assign((int)policy, team->size, i, from, parent->place,
                         &team->members[i].place, &team->members[i].partition);
  team->binding.assigned = true;
  team->binding.policy = policy;
  team->binding.parent_place = parent->place;
  team->binding.parent_partition = from;
}

void ghcomp_team_bind_self(struct thread *self, struct member *member)
{
  if (self->place_bound == member->place + 1)
    return;
  if (!self->is_worker && ghcomp_substrate_host_is_haskell())
    return;
  self->place_bound = member->place + 1;
  ghcomp_places_bind_self(member->place, self->own_number);
}

void ghcomp_team_bind_back(struct thread *self, struct member *member)
{
  if (!ghcomp_places_only_inside || member->team->level != 0 || self->is_worker) {
    ghcomp_team_bind_self(self, member);
  } else if (self->place_bound != 0) {
    self->place_bound = 0;
    ghcomp_places_leave();
  }
}

static void serve_as(struct thread *self, unsigned number)
{
  if (self->capability == number + 1)
    return;
  self->capability = number + 1;
  ghcomp_substrate_current()->serve_as(number);
}

void ghcomp_team_enter(struct thread *self, struct member *member)
{
  struct team *team = member->team;
  ghcomp_task_begin_implicit(self, member);
  ghcomp_stack_begin(self, member);
  member->work.next_slot = team->first_slot;
  member->work.loop.kind = LOOP_NONE;
  if (team->preset != PRESET_NONE)
    ghcomp_schedule_begin_preset(member, team);
  if (team->binding.assigned && team->size > 1)
    ghcomp_team_bind_self(self, member);
  if (team->size > 1 && team->level == 1)
    serve_as(self, member->number);
  if (unlikely(ghcomp_settings.display_affinity))
    ghcomp_display_affinity(self, member);
}

/* ---------------------------------------------------------------------------- fork */

static unsigned bind_policy(const struct icv *icv, unsigned clause)
{
  if (ghcomp_places.count == 0 || icv->bind == BIND_FALSE)
    return BIND_FALSE;
  return clause != 0 ? clause : icv->bind;
}

/* What the master may rely on when a region has begun.  */
static inline bool team_is_valid(const struct team *team)
{
  bool seated = team->size >= 1 && team->size <= team->capacity && team->workers + 1 == team->size;
  for (unsigned i = 0; seated && i < team->size; i++)
    seated = team->members[i].thread != NULL && team->members[i].team == team &&
             team->members[i].number == i;
  return seated;
}

/* Every thread has to fetch a line that was written, even if its contents are the same.  */
#define SET(field, value)                                                  \
  do {                                                                    \
    __typeof__(field) new_ = (value);                                     \
    if ((field) != new_)                                                  \
      (field) = new_;                                                     \
  } while (0)

static inline void carry_modes(struct team *team)
{
  struct float_modes modes = ghcomp_machine_float_modes();
  if (!ghcomp_machine_float_modes_equal(team->modes, modes))
    team->modes = modes;
}

/* Writes what the members read of the region.  */
static inline void describe(struct team *team, struct member *parent, const struct region *region)
{
  SET(team->parent, parent);
  SET(team->level, parent->team->level + 1);
  SET(team->active_level, parent->team->active_level + (team->size > 1));
  SET(team->fn, region->fn);
  SET(team->data, region->data);
  SET(team->icv, inherit_icv(team, parent->task->icv, region));
  SET(team->group, region->group);
  if (unlikely(team->detached != region->detached))
    ghcomp_team_set_detached(team, region->detached);
  SET(team->carries_modes, region->carries_modes);
  if (region->carries_modes)
    carry_modes(team);
  SET(team->preset, region->preset);
  if (region->preset != PRESET_NONE)
    team->preset_loop = *region->loop;
  SET(team->contention, parent->team->contention);
  SET(team->num_teams, parent->team->num_teams);
  SET(team->team_num, parent->team->team_num);
  SET(team->first_slot.block, team->members[0].work.next_slot.block);
  SET(team->first_slot.index, team->members[0].work.next_slot.index);
  team->joined_when_all += team->detached ? team->heads : team->worker_heads;
}

static inline void place_members(struct team *team, unsigned policy)
{
  if (unlikely(policy != BIND_FALSE)) {
    assign_places(team, policy);
    return;
  }
  const struct member *parent = team->parent;
  SET(team->binding.assigned, false);
  for (unsigned i = 0; unlikely(ghcomp_places.count != 0) && i < team->size; i++) {
    team->members[i].place = parent->place;
    team->members[i].partition = parent->partition;
  }
}

/* Those who wait for the master are in this team, or in the one around it.  */
static inline int publish_master(struct team *team)
{
  int here = ghcomp_machine_here();
  ghcomp_team_publish_processor(team, 0, here);
  if (team->active_level > 1)
    ghcomp_team_publish_processor(team->parent->team, team->parent->number, here);
  return here;
}

/* Sends the workers their mail.  From now on they run.  */
static inline void call_workers(struct team *team)
{
  if (team->size == 1)
    return;
  struct mail_content content = {.region_number = team->region_number, .joined_when_all = team->joined_when_all,
                                 .master_processor = publish_master(team)};
  if (ghcomp_gather_is_tree(team))
    ghcomp_relay_assign_all(team, content);
  else
    for (unsigned i = 1; i < team->size; i++)
      ghcomp_worker_assign(team->members[i].thread, &team->members[i], content);
}

struct team *ghcomp_team_begin(struct thread *self, const struct region *region)
{
  struct member *parent = self->member;
  struct icv *icv = parent->task->icv;
  struct contention_group *contention = parent->team->contention;
  unsigned allowed = ghcomp_team_allowed(self, region);
  struct admitted admitted = {.threads = allowed, .exact = true};
  if (allowed != 1)
    admitted = ghcomp_team_admit(self, region, allowed);
  unsigned booked = ghcomp_team_book(contention, icv, admitted.threads);
  struct team *team = ghcomp_team_take(parent, booked, region, admitted.exact);
  if (unlikely(team->size < booked && icv->thread_limit != UINT_MAX))
    sub_relaxed(&contention->threads, booked - team->size);
  describe(team, parent, region);
  if (unlikely(admitted.counted))
    ghcomp_running_begin(team->counted_threads = team->size);
  if (unlikely(admitted.of_call))
    team->at_end = AT_END_CALL; /* not in a handler */
  place_members(team, bind_policy(icv, region->bind));
  SET(team->members[0].thread, self);
  CHECK_SLOW(team_is_valid(team));
  call_workers(team);
  ghcomp_self_serves(self, &team->members[0]);
  ghcomp_team_enter(self, self->member);
  ghcomp_inside_end();
  ghcomp_count(&self->waiter.counters, STAT_REGIONS);
  if (team->size > 1) {
    ghcomp_count_more(&self->waiter.counters, STAT_THREADS_ASKED, booked);
    ghcomp_count_more(&self->waiter.counters, STAT_THREADS_GIVEN, team->size);
  }
  return team;
}
