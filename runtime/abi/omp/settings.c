/* Routines that read and set ICVs and ask about the current region.
   Spec: 5.2, 18.2 to 18.4, 18.6.  */
#include "abi/border.h"
#include "machine/processors.h"
#include "task/lineage.h"
#include "team/pool.h"
#include "team/team.h"
#include "team/thread.h"

#include <limits.h>

ENTRY_POINTS(omp_settings);

static struct team *team(void)
{
  return ghcomp_self()->member->team;
}

static struct icv *own_icv(void)
{
  return ghcomp_icv_scope_own(ghcomp_self());
}

static int clamp_int(unsigned value)
{
  return value > INT_MAX ? INT_MAX : (int)value;
}

/* ------------------------------------------------------------------ the region */

EXPORT int omp_get_num_threads(void)
{
  return (int)team()->size;
}

EXPORT int omp_get_thread_num(void)
{
  return (int)ghcomp_self_number;
}

EXPORT int omp_get_level(void)
{
  return (int)team()->level;
}

EXPORT int omp_get_active_level(void)
{
  return (int)team()->active_level;
}

EXPORT int omp_in_parallel(void)
{
  return team()->active_level > 0;
}

EXPORT int omp_in_final(void)
{
  return (ghcomp_self()->member->task->flags & TASK_FINAL) != 0;
}

EXPORT int omp_in_explicit_task(void)
{
  return load_relaxed(&ghcomp_self()->member->task->depth) > 0;
}

/* The member as which this thread takes part in the region of this level.  */
static struct member *ancestor(int level)
{
  struct member *member = ghcomp_self()->member;
  if (level < 0 || (unsigned)level > member->team->level)
    return NULL;
  while (member->team->level > (unsigned)level)
    member = member->team->parent;
  return member;
}

EXPORT int omp_get_ancestor_thread_num(int level)
{
  struct member *member = ancestor(level);
  return member != NULL ? (int)member->number : -1;
}

EXPORT int omp_get_team_size(int level)
{
  struct member *member = ancestor(level);
  return member != NULL ? (int)member->team->size : -1;
}

/* -------------------------------------------------------------- how many threads */

EXPORT void omp_set_num_threads(int n)
{
  own_icv()->nthreads = n > 0 ? (unsigned)n : 1;
}

EXPORT int omp_get_max_threads(void)
{
  return clamp_int(ghcomp_team_ask(ghcomp_self(), __builtin_return_address(0)));
}

EXPORT int omp_get_num_procs(void)
{
  ghcomp_start_once();
  return clamp_int(ghcomp_machine_affinity_processors());
}

EXPORT int omp_get_thread_limit(void)
{
  return clamp_int(ghcomp_icv()->thread_limit);
}

EXPORT void omp_set_dynamic(int dynamic)
{
  own_icv()->dynamic = dynamic != 0 ? DYNAMIC_TRUE : DYNAMIC_FALSE;
}

EXPORT int omp_get_dynamic(void)
{
  return ghcomp_icv_is_dynamic(ghcomp_icv());
}

/* -------------------------------------------------------------------- nesting */

EXPORT void omp_set_max_active_levels(int levels)
{
  if (levels >= 0)
    own_icv()->max_active_levels =
        (unsigned char)(levels < MAX_ACTIVE_LEVELS ? levels : MAX_ACTIVE_LEVELS);
}

EXPORT int omp_get_max_active_levels(void)
{
  return ghcomp_icv()->max_active_levels;
}

EXPORT int omp_get_supported_active_levels(void)
{
  return MAX_ACTIVE_LEVELS;
}

EXPORT void omp_set_nested(int nested)
{
  struct icv *icv = own_icv();
  if (nested && icv->max_active_levels == 1)
    icv->max_active_levels = MAX_ACTIVE_LEVELS;
  else if (!nested && icv->max_active_levels > 1)
    icv->max_active_levels = 1;
}

EXPORT int omp_get_nested(void)
{
  const struct icv *icv = ghcomp_icv();
  return icv->max_active_levels > team()->active_level && icv->max_active_levels > 1;
}

/* ------------------------------------------------------------------- schedules */

EXPORT void omp_set_schedule(omp_sched_t kind, int chunk)
{
  unsigned plain = (unsigned)kind & ~SCHEDULE_MONOTONIC;
  if ((plain < SCHEDULE_STATIC || plain > SCHEDULE_AUTO) && plain != SCHEDULE_TRAPEZOIDAL)
    return;
  struct icv *icv = own_icv();
  icv->run_schedule = (unsigned)kind;
  if (plain == SCHEDULE_STATIC)
    icv->run_chunk = chunk < 1 ? 0 : chunk;
  else if (plain != SCHEDULE_AUTO)
    icv->run_chunk = chunk < 1 ? 1 : chunk;
}

EXPORT void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
  const struct icv *icv = ghcomp_icv();
  *kind = (omp_sched_t)icv->run_schedule;
  *chunk = icv->run_chunk;
}

/* ---------------------------------------------------------------------- others */

EXPORT int omp_get_cancellation(void)
{
  ghcomp_start_once();
  return ghcomp_settings.cancellation;
}

EXPORT int omp_get_max_task_priority(void)
{
  ghcomp_start_once();
  return ghcomp_settings.max_task_priority;
}

EXPORT void omp_display_env(int verbose)
{
  ghcomp_start_once();
  ghcomp_env_display(verbose != 0);
}

/* Resources are the idle workers.  Spec: 5.2, 18.6.1.  */
static int pause_host(void)
{
  if (team()->level != 0)
    return -1;
  struct thread *self = ghcomp_self();
  ghcomp_team_cool(self->member, self);
  ghcomp_pool_end_idle();
  return 0;
}

EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device)
{
  (void)device; /* the host is the only device */
  return kind == omp_pause_soft || kind == omp_pause_hard ? pause_host() : -1;
}

EXPORT int omp_pause_resource_all(omp_pause_resource_t kind)
{
  return kind == omp_pause_soft || kind == omp_pause_hard ? pause_host() : -1;
}
