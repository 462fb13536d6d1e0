/* parallel.  Spec: 5.2, 10.1.  */
#include "abi/border.h"
#include "base/memory.h"
#include "task/taskgroup.h"
#include "team/team.h"

ENTRY_POINTS(gomp_parallel);

EXPORT void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
{
  struct thread *self = ghcomp_self();
  struct region region = {.fn = fn, .data = data, .threads = num_threads, .bind = flags & 7};
  ghcomp_team_fork(self, &region);
  fn(data);
  ghcomp_team_join(self);
}

EXPORT unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads,
                                         unsigned flags)
{
  struct thread *self = ghcomp_self();
  uintptr_t *list = *(uintptr_t **)data;
  struct region region = {.fn = fn, .data = data, .threads = num_threads, .bind = flags & 7};
  region.threads = ghcomp_team_resolve(self, &region);
  struct taskgroup *group = ghcomp_memory_get_zero(sizeof *group);
  store_relaxed(&group->unfinished, 1);
  ghcomp_reduction_register(list, NULL, region.threads);
  group->reductions = list;
  region.group = group;
  unsigned size = ghcomp_team_fork(self, &region)->size;
  fn(data);
  ghcomp_team_join(self);
  ghcomp_memory_release(group);
  return size;
}

/* The form of GCC before 4.9: the caller executes fn itself, between the two calls.  */
EXPORT void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads)
{
  struct region region = {.fn = fn, .data = data, .threads = num_threads};
  ghcomp_team_fork(ghcomp_self(), &region);
}

EXPORT void GOMP_parallel_end(void)
{
  ghcomp_team_join(ghcomp_self());
}
