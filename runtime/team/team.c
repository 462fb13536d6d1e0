/* Fork and join.

   A region on a hot team costs the master one write per worker (the mailbox)
   and each worker one addition to `joined`; nothing is locked and nothing is
   allocated.  What a member starts with, it fetches itself from the team.

   Invariant: while state is BUSY, members[1…size-1] have a thread each and
   only their threads and the master act on the team; while it is IDLE no
   thread does, and the pool may take the workers (pool.c).  */
#include "team/team.h"

#include "admission/admission.h"
#include "base/check.h"
#include "base/memory.h"
#include "base/stats.h"
#include "machine/processors.h"
#include "task/deque.h"
#include "task/lineage.h"
#include "task/stack.h"
#include "task/task.h"
#include "team/gather.h"
#include "team/pool.h"
#include "team/team_wait.h"
#include "team/thread.h"
#include "threads/substrate.h"
#include "wait/lock.h"
#include "work/schedule.h"
#include "work/slots.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* ------------------------------------------------------------ how many threads */

/* A size that somebody asked for is given, unless dyn-var says otherwise by its user's wish and
   not by default.  */
static bool may_be_smaller(const struct icv *icv, unsigned requested)
{
  bool asked = requested != 0 || icv->nthreads != 0;
  return asked ? icv->dynamic == DYNAMIC_TRUE : ghcomp_icv_is_dynamic(icv);
}

static unsigned limit_dynamic(struct member *parent, unsigned threads)
{
  unsigned processors = ghcomp_icv_default_threads();
  unsigned allowed = parent->team->active_level == 0 ? processors : 1;
  return threads < allowed ? threads : allowed;
}

/* A region of several threads that does not belong to another one takes processors.  `promised`: its
   thread was told that it would have so many.  */
static __attribute__((noinline)) struct admitted admit(struct thread *self, const struct region *region, unsigned wanted)
{
  struct admitted all = {.threads = wanted, .promised = self->turn.asked};
  bool exact = all.promised || !may_be_smaller(self->member->task->icv, region->threads);
  self->turn.asked = false;
  if (likely(exact && !ghcomp_admission_has_others()))
    return all;
  if (self->member->team->level != 0 || region->detached || self->worker || self->turn.region_began != 0)
    return all;
  struct admitted admitted = ghcomp_admission_enter(self, wanted, exact);
  admitted.promised = all.promised;
  return admitted;
}

/* No system of today runs more threads than this in one process, and the
   descriptors of more would not fit its memory.  */
#define LARGEST_TEAM 65536u

/* `threads`: as asked for; 0: nobody has.  */
static __attribute__((noinline)) unsigned resolve_several(struct thread *self, unsigned requested,
                                                          unsigned threads)
{
  struct member *parent = self->member;
  const struct icv *icv = parent->task->icv;
  if (parent->team->active_level >= icv->max_active_levels)
    return 1;
  if (threads == 0)
    threads = ghcomp_icv_default_threads();
  if (may_be_smaller(icv, requested) && !self->turn.asked)
    threads = limit_dynamic(parent, threads);
  if (threads > icv->thread_limit)
    threads = icv->thread_limit;
  return threads < LARGEST_TEAM ? threads : LARGEST_TEAM;
}

static inline unsigned resolve(struct thread *self, unsigned requested)
{
  unsigned threads = requested != 0 ? requested : self->member->task->icv->nthreads;
  return threads == 1 ? 1 : resolve_several(self, requested, threads);
}

unsigned ghcomp_team_resolve(struct thread *self, unsigned requested)
{
  return resolve(self, requested);
}

unsigned ghcomp_team_ask(struct thread *self)
{
  const struct icv *icv = self->member->task->icv;
  unsigned threads = icv->nthreads != 0 ? icv->nthreads : ghcomp_icv_default_threads();
  if (self->member->team->level != 0 || self->worker || self->turn.region_began != 0)
    return threads;
  self->turn.asked = true;
  if (unlikely(ghcomp_admission_has_others()) && threads > 1)
    ghcomp_admission_ask(self, threads);
  return threads;
}

/* Books the team's further threads against the thread limit of the contention
   group; returns how many threads the team may have.  */
static unsigned book_threads(struct contention_group *group, const struct icv *icv,
                             unsigned threads)
{
  if (icv->thread_limit == UINT_MAX || threads == 1)
    return threads;
  unsigned busy = load_relaxed(&group->threads), granted;
  do {
    unsigned left = busy < icv->thread_limit ? icv->thread_limit - busy : 0;
    granted = threads - 1 < left ? threads - 1 : left;
  } while (!cas_relaxed(&group->threads, &busy, busy + granted));
  return granted + 1;
}

static void unbook_threads(struct team *team)
{
  const struct icv *icv = team->parent->task->icv;
  if (icv->thread_limit != UINT_MAX && team->size > 1)
    sub_relaxed(&team->contention->threads, team->size - 1);
}

/* ------------------------------------------------------------------ hot teams */

void ghcomp_team_cool(struct member *m)
{
  struct team *team = m->hot;
  if (team == NULL)
    return;
  m->hot = NULL;
  uint32_t expected = TEAM_IDLE;
  cas_relaxed(&team->state, &expected, TEAM_BUSY); /* from now on the pool passes it by */
  for (unsigned i = 0; i < team->capacity; i++)
    ghcomp_team_cool(&team->members[i]);
  ghcomp_pool_release(team, 0);
  team->members[0].thread = NULL;
  ghcomp_pool_return_team(team);
}

/* A hot team that the pool has not stripped becomes BUSY.  Pairs with the
   compare-and-swap in pool.c: exactly one of the two has the workers.  A team
   that never had any is of no interest to the pool.  Relaxed: the caller has let go of
   the team itself or, of a detached one, has seen that the last to leave did.  */
static void wake_up_team(struct team *team)
{
  uint32_t expected = TEAM_IDLE;
  if (team->had_workers && unlikely(!cas_relaxed(&team->state, &expected, TEAM_BUSY)))
    ghcomp_pool_await_strip(team);
}

/* After the size changed: counters and slots begin anew.  */
static void resize(struct team *team, unsigned size)
{
  for (unsigned i = 0; i < team->capacity; i++) {
    store_relaxed(&team->members[i].tasks_created, 0);
    store_relaxed(&team->members[i].tasks_done, 0);
  }
  store_relaxed(&team->tasks.done_elsewhere, 0);
  ghcomp_slots_reset(team);
  team->members[0].work.at = team->start;
  team->binding.done = false;
  team->size = size;
  team->alone = size == 1 || team->detached;
  team->within_processors = size <= ghcomp_machine_processors();
  team->stack_share = ghcomp_stack_share();
  ghcomp_gather_shape(team);
}

/* In a Haskell program many threads start regions at once, each with a contention
   group of its own, and each would get as many threads as there are Capabilities.
   Where no program asked for a size, the pool does not grow beyond that number: a
   region that finds the workers busy has a smaller team.  Not so one whose size its thread was
   told: a library divides its work by that number, and its parts may wait for each other.  A
   Haskell loop says itself how many helpers it can use, so its region's size is nobody's wish.  */
static unsigned most_workers(const struct region *region, const struct icv *icv, bool told)
{
  bool asked = !region->detached && (region->threads != 0 || icv->nthreads != 0 || told);
  unsigned capabilities = asked ? 0 : ghcomp_substrate_host_capabilities();
  return capabilities != 0 ? capabilities - 1 : UINT_MAX;
}

/* For so many threads, or for as many as there is memory.  */
static struct team *take_new_team(unsigned size)
{
  struct team *team = ghcomp_pool_try_team(size);
  for (unsigned fewer = size / 2; team == NULL && fewer != 0; fewer /= 2)
    team = ghcomp_pool_try_team(fewer);
  ghcomp_memory_demand(team, sizeof *team);
  if (team->capacity < size)
    ghcomp_pool_say_refused(ENOMEM, size - 1, team->capacity - 1);
  return team;
}

/* The team of `size` threads below the member, BUSY; smaller when threads
   cannot be had.  */
static struct team *take_team(struct member *parent, unsigned size, const struct region *region, bool told)
{
  struct team *team = parent->hot;
  if (team != NULL && team->capacity < size) {
    ghcomp_team_cool(parent);
    team = NULL;
  }
  if (team == NULL) {
    team = take_new_team(size);
    size = size < team->capacity ? size : team->capacity;
    team->size = 0;
    team->had_workers = false;
    parent->hot = team;
  } else {
    wake_up_team(team);
  }
  if (unlikely(team->workers + 1 != size)) {
    if (team->workers + 1 > size) {
      ghcomp_pool_release(team, size - 1);
    } else {
      ghcomp_substrate_start(ghcomp_icv_default_threads());
      ghcomp_pool_supply(team, size - 1, most_workers(region, parent->task->icv, told));
      size = team->workers + 1;
      team->had_workers = true;
    }
  }
  if (unlikely(team->size != size))
    resize(team, size);
  return team;
}

/* ------------------------------------------------------------ what members get */

/* The implicit tasks' ICVs: the parent task's, but for lists that name another
   value for this level, and a proc_bind clause where no list does.
   Spec: 5.2, 2.4.  */
static struct icv *inherit_icv(struct team *team, struct icv *icv, unsigned bind_clause)
{
  const struct settings *s = &ghcomp_settings;
  unsigned level = team->level;
  bool threads_listed = level < s->nthreads_list_length;
  bool bind_listed = level < s->bind_list_length;
  bool bind_named = bind_clause != 0 && icv->bind != BIND_FALSE && bind_clause != icv->bind;
  if (likely(!threads_listed && !bind_listed && !bind_named))
    return icv;
  team->own_icv = *icv;
  if (threads_listed)
    team->own_icv.nthreads = s->nthreads_list[level];
  if (bind_listed)
    team->own_icv.bind = s->bind_list[level];
  else if (bind_named)
    team->own_icv.bind = (unsigned char)bind_clause;
  return &team->own_icv;
}

static void assign_places(struct team *team, unsigned policy)
{
  struct member *parent = team->parent;
  struct partition from = parent->partition;
  if (team->binding.done && team->binding.bind == policy && team->binding.place == parent->place &&
      team->binding.partition.first == from.first &&
      team->binding.partition.length == from.length)
    return;
  for (unsigned i = 0; i < team->size; i++)
    ghcomp_places_assign((int)policy, team->size, i, from, parent->place,
                         &team->members[i].place, &team->members[i].partition);
  team->binding.done = true;
  team->binding.bind = policy;
  team->binding.place = parent->place;
  team->binding.partition = from;
}

/* In a Haskell program only workers are bound: other threads are its RTS's, which runs
   any Haskell thread on them and lets the threads that it makes inherit their masks.  */
static void bind_self(struct thread *self, struct member *member)
{
  if (self->place_bound == member->place + 1)
    return;
  if (!self->worker && ghcomp_substrate_host_is_haskell())
    return;
  self->place_bound = member->place + 1;
  ghcomp_places_bind_self(member->place);
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
  member->work.at = team->start;
  member->work.loop.kind = LOOP_NONE;
  if (team->preset != PRESET_NONE)
    ghcomp_schedule_begin_preset(member, team);
  if (team->binding.done && team->size > 1)
    bind_self(self, member);
  if (team->size > 1 && team->level == 1)
    serve_as(self, member->number);
  if (unlikely(ghcomp_settings.display_affinity))
    ghcomp_display_affinity(self, member);
}

/* ------------------------------------------------------------------ fork, join */

static unsigned bind_policy(const struct icv *icv, unsigned clause)
{
  if (ghcomp_places.count == 0 || icv->bind == BIND_FALSE)
    return BIND_FALSE;
  return clause != 0 ? clause : icv->bind;
}

/* What holds when a region has begun, as its master sees it.  */
static inline bool team_is_valid(const struct team *team)
{
  bool seated = team->size >= 1 && team->size <= team->capacity && team->workers + 1 == team->size;
  for (unsigned i = 0; seated && i < team->size; i++)
    seated = team->members[i].thread != NULL && team->members[i].team == team &&
             team->members[i].number == i;
  return seated;
}

/* A line that is written, even with what it holds, has to be fetched by everybody.  */
#define SET(field, value)                                                  \
  do {                                                                    \
    __typeof__(field) new_ = (value);                                     \
    if ((field) != new_)                                                  \
      (field) = new_;                                                     \
  } while (0)

static void set_detached(struct team *team, bool detached)
{
  team->detached = detached;
  team->alone = team->size == 1 || detached;
}

struct team *ghcomp_team_fork(struct thread *self, const struct region *region)
{
  struct member *parent = self->member;
  struct icv *icv = parent->task->icv;
  struct contention_group *contention = parent->team->contention;
  unsigned wanted = resolve(self, region->threads), counted = 0;
  bool promised = false;
  if (wanted != 1) {
    struct admitted admitted = admit(self, region, wanted);
    wanted = admitted.threads;
    counted = admitted.counted;
    promised = admitted.promised;
  }
  wanted = book_threads(contention, icv, wanted);
  struct team *team = take_team(parent, wanted, region, promised);
  if (unlikely(team->size < wanted && icv->thread_limit != UINT_MAX))
    sub_relaxed(&contention->threads, wanted - team->size);

  SET(team->parent, parent);
  SET(team->level, parent->team->level + 1);
  SET(team->active_level, parent->team->active_level + (team->size > 1));
  SET(team->fn, region->fn);
  SET(team->data, region->data);
  SET(team->icv, inherit_icv(team, icv, region->bind));
  SET(team->group, region->group);
  if (unlikely(team->detached != region->detached))
    set_detached(team, region->detached);
  SET(team->preset, region->preset);
  if (region->preset != PRESET_NONE)
    team->preset_loop = *region->loop;
  if (unlikely(counted != 0)) {
    team->admitted = ghcomp_admission_reduce(counted, team->size);
    self->turn.begun = team;
  }
  SET(team->contention, contention);
  SET(team->num_teams, parent->team->num_teams);
  SET(team->team_num, parent->team->team_num);
  SET(team->start.block, team->members[0].work.at.block);
  SET(team->start.index, team->members[0].work.at.index);
  team->goal += team->detached ? team->heads : team->worker_heads;
  unsigned policy = bind_policy(icv, region->bind);
  if (unlikely(policy != BIND_FALSE)) {
    assign_places(team, policy);
  } else {
    SET(team->binding.done, false);
    for (unsigned i = 0; unlikely(ghcomp_places.count != 0) && i < team->size; i++) {
      team->members[i].place = parent->place;
      team->members[i].partition = parent->partition;
    }
  }
  SET(team->members[0].thread, self);
  CHECK_SLOW(team_is_valid(team));
  if (team->size > 1)
    ghcomp_spread_say(self);
  if (unlikely(load_relaxed(&team->stacked) || self->turn.waited))
    ghcomp_spread_make_way(self, team);
  if (ghcomp_gather_is_tree(team))
    ghcomp_relay_assign_all(team);
  else
    for (unsigned i = 1; i < team->size; i++)
      ghcomp_worker_assign(team->members[i].thread, &team->members[i], team);

  self->member = &team->members[0];
  ghcomp_team_enter(self, self->member);
  ghcomp_count(&self->waiter.counters, STAT_REGIONS);
  if (team->size > 1) {
    ghcomp_count_more(&self->waiter.counters, STAT_THREADS_ASKED, wanted);
    ghcomp_count_more(&self->waiter.counters, STAT_THREADS_GIVEN, team->size);
  }
  return team;
}

/* Tasks of an orphan's former team may be lost, and counts with them.  */
static bool orphan_has_no_task(struct team *team)
{
  return ghcomp_deque_is_empty(&team->orphan->deque) && load_relaxed(&team->tasks.queued) == 0;
}

bool ghcomp_team_is_quiescent(struct team *team)
{
  if (unlikely(team->orphan != NULL))
    return orphan_has_no_task(team);
  /* First what is done, then what was created: see barrier.md.  The first loads acquire the
     creation, too.  */
  uint64_t done = load_acquire(&team->tasks.done_elsewhere), created = 0;
  for (unsigned i = 0; i < team->size; i++)
    done += load_acquire(&team->members[i].tasks_done); /* pairs with task.c's release */
  for (unsigned i = 0; i < team->size; i++)
    created += load_relaxed(&team->members[i].tasks_created);
  return done == created;
}

bool ghcomp_team_is_left(struct team *team)
{
  /* Pairs with the subtractions in worker.c and ghcomp_event_fulfill.  */
  return (uint32_t)load_seq_cst(&team->helpers) == 0 && ghcomp_team_is_quiescent(team);
}

/* The region is over: every worker has joined (of a detached one, the master too)
   and no task is left.  */
static bool is_over(struct team *team)
{
  return load_seq_cst(&team->joined) == team->goal && /* pairs with worker.c's addition */
         (!load_relaxed(&team->tasking) || ghcomp_team_is_left(team));
}

static inline bool join_is_over(struct wait *wait)
{
  return is_over(((struct team_wait *)wait)->team);
}

static inline bool run_tasks(struct wait *wait)
{
  const struct team_wait *join = (struct team_wait *)wait;
  return load_relaxed(&join->team->tasking) && load_relaxed(&join->team->hint) != 0 &&
         ghcomp_task_run_any(join->self);
}

static const struct wait_kind until_joined = {.is_over = join_is_over, .do_other = run_tasks,
                                              .announce = ghcomp_team_wait_announce,
                                              .sleep = ghcomp_team_wait_sleep};

static void wait_for_members(struct thread *self, struct team *team)
{
  struct team_wait join = ghcomp_team_wait_by(self, team, 0);
  ghcomp_wait(&until_joined, &join.wait);
}

void ghcomp_team_wait_for_helpers(struct team *team)
{
  struct waiting w = {.self = ghcomp_waiter_self, .crowded = true};
  /* Pairs with the subtractions in help and in ghcomp_event_fulfill.  */
  while ((uint32_t)load_acquire(&team->helpers) != 0)
    if (!ghcomp_parking_spin(&w))
      w.looks = 0;
}

/* No docked worker may look for tasks of this region any more; see Note [Why a
   docked worker cannot touch the wrong region].  */
static void close_region(struct team *team)
{
  /* Pairs with the subtractions in help and in ghcomp_event_fulfill.  */
  uint64_t old = add_acquire(&team->helpers, (uint64_t)1 << 32);
  team->region++;
  if (unlikely((uint32_t)old != 0))
    ghcomp_team_wait_for_helpers(team);
}

static void forget_cancellation(struct team *team)
{
  store_relaxed(&team->cancelled, false);
  store_relaxed(&team->construct_cancelled, 0);
  ghcomp_gather_reset(team);
  ghcomp_slots_reset(team);
  team->members[0].work.at = team->start;
}

void ghcomp_team_join(struct thread *self)
{
  struct member *member = self->member;
  struct team *team = member->team;
  if (team->size > 1 || team->detached) {
    wait_for_members(self, team);
    close_region(team);
    CHECK(ghcomp_team_is_quiescent(team));
  } else if (load_relaxed(&team->tasking)) {
    ghcomp_barrier_wait(self);
  }
  if (unlikely(load_relaxed(&team->tasking))) {
    store_relaxed(&team->tasking, false);
    store_relaxed(&team->hint, 0); /* no task is left, so no deque has one */
  }
  if (unlikely(load_relaxed(&team->cancelled) || load_relaxed(&team->construct_cancelled)))
    forget_cancellation(team);
  ghcomp_task_end_implicit(member);
  unbook_threads(team);
  self->member = team->parent;
  if (unlikely(team->binding.done) && team->size > 1 && !team->detached)
    bind_self(self, self->member);
  unsigned admitted = team->admitted;
  if (unlikely(admitted != 0)) {
    team->admitted = 0;
    if (ghcomp_admission_is_awaited())
      ghcomp_pool_release(team, 0);
  }
  store_release(&team->state, TEAM_IDLE); /* pairs with the cas in pool.c */
  if (unlikely(admitted != 0))
    ghcomp_admission_leave(self, admitted);
}

void ghcomp_team_leave(struct team *team, unsigned number)
{
  uint32_t goal = team->goal;
  struct thread *master = team->members[0].thread;
  /* Of all that leave, the last one sees what the others did, and nobody else acts
     on the team.  */
  if (ghcomp_gather_is_head(team, number, team->size, GATHER_JOIN) &&
      add_acq_rel(&team->joined, 1) + 1 == goal)
    ghcomp_team_join(master);
}

/* -------------------------------------------------------------- initial teams */

struct team *ghcomp_team_make_initial(struct thread *thread)
{
  struct team *team = ghcomp_pool_try_team(1);
  if (team == NULL)
    return NULL;
  struct member *member = &team->members[0];
  team->size = 1;
  team->stack_share = STACK_PART_MOST;
  set_detached(team, false);
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
  member->work.at = team->start;
  member->work.loop.kind = LOOP_NONE;
  ghcomp_task_begin_implicit(thread, member);
  ghcomp_stack_begin(thread, member);
  return team;
}

void ghcomp_team_unmake_initial(struct team *team)
{
  ghcomp_team_cool(&team->members[0]);
  ghcomp_task_end_implicit(&team->members[0]);
  ghcomp_pool_return_team(team);
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
  self->member = &team->members[0];
  return outer;
}

void ghcomp_team_pop_initial(void *saved)
{
  struct thread *self = ghcomp_self();
  struct team *team = self->member->team;
  if (load_relaxed(&team->tasking))
    ghcomp_barrier_wait(self);
  self->member = saved;
  ghcomp_team_unmake_initial(team);
}

/* ------------------------------------------------------------------------ fork */

static void forget_deque(struct member *m)
{
  store_relaxed(&m->deque.top, load_relaxed(&m->deque.bottom));
}

/* Who held a lock may have been half through.  */
static void free_task_locks(struct team *team)
{
  store_relaxed(&team->tasks.lineage_lock, LOCK_FREE);
  if (load_relaxed(&team->tasks.queue_lock) == LOCK_FREE)
    return;
  store_relaxed(&team->tasks.queue_lock, LOCK_FREE);
  store_relaxed(&team->tasks.queued, 0);
  team->tasks.queues = NULL;
}

/* The member stays where it is, because tasks and stacks point to it; of the others only the
   first is still looked at.  Barriers and joins that wait for others are over.  */
static void leave_alone(struct team *team, struct member *m, struct thread *self)
{
  struct member *first = &team->members[0];
  if (first != m)
    forget_deque(first);
  first->thread = self;
  team->orphan = m;
  team->size = 1;
  set_detached(team, false);
  store_relaxed(&team->joined, 0);
  team->goal = 0;
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
  team->admitted = 0;
  store_relaxed(&team->contention->threads, 1);
  store_relaxed(&team->helpers, load_relaxed(&team->helpers) & ~(uint64_t)UINT32_MAX);
  free_task_locks(team);
  if (team->size > 1)
    leave_alone(team, m, self);
}
