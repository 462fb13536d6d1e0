/* Descriptors of OS threads: made when a thread first meets the runtime, given back when the thread
   ends.

   The runtime notices the end of a native thread that has a mark.  Destructors of other libraries
   may run later and start regions.  Then the thread meets the runtime again, and is marked
   again.  */
#include "team/thread.h"

#include "admission/turn.h"
#include "base/memory.h"
#include "machine/disturbance.h"
#include "machine/thread.h"
#include "memory/threadprivate.h"
#include "settings/env.h"
#include "task/depend.h"
#include "task/stack.h"
#include "task/task.h"
#include "team/helper_number.h"
#include "team/pool.h"
#include "team/team.h"
#include "threads/substrate.h"
#include "wait/parking.h"
#include "wait/running.h"

#include <stdio.h>
#include <string.h>

/* A thread may end inside a region that it forked (pthread_exit).  Then its team stays as it is, because workers may still be
   in it; but it no longer computes for this thread.  */
static void uncount_regions(const struct thread *self)
{
  for (struct member *m = self->member; m != NULL; m = m->team->parent)
    if (m->number == 0 && m->team->counted_threads != 0) {
      ghcomp_running_end(m->team->counted_threads);
      m->team->counted_threads = 0;
    }
}

static void thread_ends(void *mark)
{
  struct thread *self = mark;
  if (ghcomp_self_pointer != self)
    return;
  struct held held = ghcomp_machine_hold();
  ghcomp_self_becomes(NULL);
  uncount_regions(self);
  ghcomp_turn_abandon(self);
  ghcomp_machine_let(held);
  if (self->member == &self->initial_team->members[0])
    ghcomp_thread_retire(self);
  held = ghcomp_machine_hold();
  ghcomp_pool_remove_master();
  ghcomp_machine_let(held);
}

static void watch(void)
{
  ghcomp_machine_watch_ends(thread_ends);
}

static void watch_once(void)
{
  static struct once once = ONCE_INIT;
  ghcomp_machine_once(&once, watch);
}

bool ghcomp_thread_prepare(struct thread *thread)
{
  static _Atomic uint64_t lives;
  thread->life = add_relaxed(&lives, 1) + 1; /* unique, and orders nothing */
  thread->dock.team = NULL;
  thread->place_bound = 0;
  thread->capability = 0;
  thread->stack_size = 0;
  thread->is_worker = thread->is_between_regions = false;
  store_relaxed(&thread->keeps_pool, false);
  store_relaxed(&thread->waiter.park, AWAKE);
  thread->turn = (struct thread_turn){0};
  store_relaxed(&thread->kernel_thread, 0);
  thread->next_region = (struct thread_next){0};
  thread->awake = (struct thread_awake){0};
  thread->in_team = thread->in_order = (struct patience){0};
  thread->initial_team = ghcomp_team_make_initial(thread);
  if (thread->initial_team == NULL)
    return false;
  thread->member = &thread->initial_team->members[0];
  return true;
}

void ghcomp_thread_retire(struct thread *thread)
{
  ghcomp_threadprivate_end(thread->own_number); /* calls destructors of the program's */
  struct held held = ghcomp_machine_hold();
  if (thread->initial_team != NULL)
    ghcomp_team_unmake_initial(thread->initial_team);
  thread->initial_team = NULL;
  ghcomp_team_drop_spare(thread);
  ghcomp_pool_end_owned(thread);
  ghcomp_task_drop_headers(thread);
  ghcomp_depend_drop_nodes(thread);
  ghcomp_reuse_return_thread(thread);
  ghcomp_machine_let(held);
}

struct thread *ghcomp_thread_meet(void)
{
  struct held held = ghcomp_machine_hold();
  ghcomp_start_once();
  watch_once();
  struct thread *self = ghcomp_memory_demand(ghcomp_reuse_try_thread(), sizeof *self);
  if (!ghcomp_thread_prepare(self))
    ghcomp_memory_demand(NULL, sizeof *self->initial_team);
  ghcomp_self_becomes(self);
  ghcomp_stack_begin(self, self->member);
  store_relaxed(&self->kernel_thread, ghcomp_machine_thread());
  ghcomp_pool_add_master();
  ghcomp_machine_mark_thread(self);
  ghcomp_places_say_new_thread(self->own_number);
  ghcomp_machine_let(held);
  return self;
}

/* Every team of the calling thread has lost its other members.  The calling thread is the child's
   first thread, and goes on alone in the same region.  */
void ghcomp_thread_after_fork(void)
{
  struct thread *self = ghcomp_self_pointer;
  ghcomp_machine_mark_thread(self);
  ghcomp_helper_number_after_fork(self);
  if (self == NULL)
    return;
  self->dock.team = NULL;
  self->is_worker = false;
  self->turn = (struct thread_turn){0};
  store_relaxed(&self->kernel_thread, ghcomp_machine_thread());
  for (struct member *m = self->member; m != NULL; m = m->team->parent)
    ghcomp_team_isolate(m, self);
  ghcomp_self_number = self->member->number;
  if (self->place_bound != 0) /* else all children of this thread would have one processor */
    ghcomp_places_return(self->place_bound - 1);
  self->place_bound = 0; /* its next region of several threads binds it again */
}

/* ------------------------------------------------------- display of affinity */

/* One line per thread and change, in the affinity format.  */

struct affinity_info ghcomp_affinity_info_of(const struct member *member)
{
  const struct team *team = member->team;
  return (struct affinity_info){
      .team_num = (int)team->team_num,
      .num_teams = (int)team->num_teams,
      .nesting_level = (int)team->level,
      .thread_num = (int)member->number,
      .num_threads = (int)team->size,
      .ancestor_tnum = team->parent != NULL ? (int)team->parent->number : -1,
  };
}

/* The line is printed again only if this value has changed.  A worker may serve the inner regions of one member
   after those of another, whose lines look the same: so the members around it count, too, on every level.  LLVM's
   runtime tells all of a team when the binding is another.  */
static uint64_t summary(const struct member *member)
{
  const struct team *team = member->team;
  uint64_t x = team->size;
  x = x * 1000003 + team->level;
  if (ghcomp_settings.like_llvm)
    x = x * 1000003 + team->binding.policy;
  for (const struct member *m = member; m != NULL; m = m->team->parent)
    x = x * 1000003 + m->number;
  return x * 1000003 + member->place + 1;
}

void ghcomp_display_affinity(struct thread *self, const struct member *member)
{
  char line[2048];
  uint64_t now = summary(member);
  if (self->displayed_hash == now)
    return;
  self->displayed_hash = now;
  struct affinity_info info = ghcomp_affinity_info_of(member);
  char *format = ghcomp_affinity_var_copy();
  ghcomp_affinity_format(line, sizeof line, format, &info);
  ghcomp_memory_release(format);
  int cancellation = ghcomp_machine_hold_cancellation();
  fprintf(ghcomp_settings.like_llvm ? stdout : stderr, "%s\n", line);
  ghcomp_machine_let_cancellation(cancellation);
}
