/* sections.  Spec: 5.2, 11.3.  */
#include "abi/gomp/share.h"
#include "team/team.h"
#include "work/schedule.h"

ENTRY_POINTS(gomp_sections);

static struct slot *begin(struct thread *self, unsigned count)
{
  struct loop loop = {.kind = LOOP_STATIC, .sections = count};
  ghcomp_schedule_begin(self->member, &loop);
  return self->member->work.loop.slot;
}

EXPORT unsigned GOMP_sections_start(unsigned count)
{
  struct thread *self = ghcomp_self();
  begin(self, count);
  return ghcomp_sections_next(self->member);
}

EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory)
{
  struct thread *self = ghcomp_self();
  ghcomp_share_construct(self, begin(self, count), reductions, memory);
  return ghcomp_sections_next(self->member);
}

EXPORT unsigned GOMP_sections_next(void)
{
  return ghcomp_sections_next(ghcomp_self()->member);
}

EXPORT void GOMP_sections_end(void)
{
  ghcomp_barrier_wait(ghcomp_self());
}

EXPORT bool GOMP_sections_end_cancel(void)
{
  return ghcomp_barrier_wait_cancel(ghcomp_self());
}

EXPORT void GOMP_sections_end_nowait(void)
{
}

static void start(void (*fn)(void *), void *data, unsigned num_threads, unsigned count,
                  unsigned flags)
{
  struct loop sections = {.kind = LOOP_STATIC, .sections = count};
  struct region region = {.fn = fn, .data = data, .threads = num_threads, .bind = flags & 7,
                          .preset = PRESET_SECTIONS, .loop = &sections};
  ghcomp_team_fork(ghcomp_self(), &region);
}

EXPORT void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads,
                                   unsigned count, unsigned flags)
{
  start(fn, data, num_threads, count, flags);
  fn(data);
  ghcomp_team_join(ghcomp_self());
}

EXPORT void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads,
                                         unsigned count)
{
  start(fn, data, num_threads, count, 0);
}
