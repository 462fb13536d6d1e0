/* Worksharing loops.  Spec: 5.2, 11.5.

   The compiler has a pair of functions for each schedule, type and flavour.  Each is one line of
   the tables below.  */
#include "abi/gomp/share.h"
#include "team/team.h"
#include "work/schedule.h"
#include "work/slots.h"

ENTRY_POINTS(gomp_loop);

enum { RUNTIME = 0, STATIC = SCHEDULE_STATIC, DYNAMIC = SCHEDULE_DYNAMIC, GUIDED = SCHEDULE_GUIDED };
#define ANY SCHEDULE_ANY_ORDER

static inline bool next(struct member *member, uint64_t *first, uint64_t *last)
{
  if (!ghcomp_schedule_next(member))
    return false;
  *first = ghcomp_border_first(&member->work.loop);
  *last = ghcomp_border_end(&member->work.loop);
  return true;
}

static struct member *begin(struct loop loop, unsigned schedule, uint64_t chunk, bool ordered)
{
  struct member *member = ghcomp_self()->member;
  ghcomp_schedule_choose(&loop, member->task->icv, schedule, chunk);
  loop.ordered = ordered;
  ghcomp_schedule_begin(member, &loop);
  return member;
}

static bool start(struct loop loop, unsigned schedule, uint64_t chunk, bool ordered,
                  uint64_t *first, uint64_t *last)
{
  return next(begin(loop, schedule, chunk, ordered), first, last);
}

/* The chunk argument of a clause is positive.  Without a clause it is 0 (or 1).  */
static uint64_t chunk_of(long chunk)
{
  return chunk > 0 ? (uint64_t)chunk : 0;
}

/* ------------------------------------------------------------------ start, next */

#define LONG_START(name, schedule, ordered)                                            \
  EXPORT bool GOMP_loop_##name##_start(long start_, long end, long incr, long chunk,   \
                                       long *istart, long *iend)                       \
  {                                                                                    \
    return start(ghcomp_border_loop(start_, end, incr), schedule, chunk_of(chunk),     \
                 ordered, (uint64_t *)istart, (uint64_t *)iend);                       \
  }
#define LONG_RUNTIME_START(name, schedule, ordered)                                    \
  EXPORT bool GOMP_loop_##name##_start(long start_, long end, long incr, long *istart, \
                                       long *iend)                                     \
  {                                                                                    \
    return start(ghcomp_border_loop(start_, end, incr), schedule, 0, ordered,          \
                 (uint64_t *)istart, (uint64_t *)iend);                                \
  }
#define LONG_NEXT(name)                                                                \
  EXPORT bool GOMP_loop_##name##_next(long *istart, long *iend)                        \
  {                                                                                    \
    return next(ghcomp_self()->member, (uint64_t *)istart, (uint64_t *)iend);          \
  }
#define ULL_START(name, schedule, ordered)                                             \
  EXPORT bool GOMP_loop_ull_##name##_start(                                            \
      bool up, unsigned long long start_, unsigned long long end,                      \
      unsigned long long incr, unsigned long long chunk, unsigned long long *istart,   \
      unsigned long long *iend)                                                        \
  {                                                                                    \
    return start(ghcomp_border_loop_ull(up, start_, end, incr), schedule, chunk,       \
                 ordered, (uint64_t *)istart, (uint64_t *)iend);                       \
  }
#define ULL_RUNTIME_START(name, schedule, ordered)                                     \
  EXPORT bool GOMP_loop_ull_##name##_start(                                            \
      bool up, unsigned long long start_, unsigned long long end,                      \
      unsigned long long incr, unsigned long long *istart, unsigned long long *iend)   \
  {                                                                                    \
    return start(ghcomp_border_loop_ull(up, start_, end, incr), schedule, 0, ordered,  \
                 (uint64_t *)istart, (uint64_t *)iend);                                \
  }
#define ULL_NEXT(name)                                                                 \
  EXPORT bool GOMP_loop_ull_##name##_next(unsigned long long *istart,                  \
                                          unsigned long long *iend)                    \
  {                                                                                    \
    return next(ghcomp_self()->member, (uint64_t *)istart, (uint64_t *)iend);          \
  }

#define PAIR(name, schedule, ordered)                                                  \
  LONG_START(name, schedule, ordered) LONG_NEXT(name)                                  \
  ULL_START(name, schedule, ordered) ULL_NEXT(name)
#define RUNTIME_PAIR(name, schedule, ordered)                                          \
  LONG_RUNTIME_START(name, schedule, ordered) LONG_NEXT(name)                          \
  ULL_RUNTIME_START(name, schedule, ordered) ULL_NEXT(name)

PAIR(static, STATIC, false)
PAIR(dynamic, DYNAMIC, false)
PAIR(guided, GUIDED, false)
PAIR(nonmonotonic_dynamic, DYNAMIC | ANY, false)
PAIR(nonmonotonic_guided, GUIDED, false)
PAIR(ordered_static, STATIC, true)
PAIR(ordered_dynamic, DYNAMIC, true)
PAIR(ordered_guided, GUIDED, true)
RUNTIME_PAIR(runtime, RUNTIME, false)
RUNTIME_PAIR(nonmonotonic_runtime, RUNTIME | ANY, false)
RUNTIME_PAIR(maybe_nonmonotonic_runtime, RUNTIME | ANY, false)
RUNTIME_PAIR(ordered_runtime, RUNTIME, true)

/* --------------------------------------- start with reductions, scratch memory */

/* istart NULL: the compiled code hands out the iterations itself, and needs only the construct.  */
static bool start_shared(struct loop loop, long schedule, uint64_t chunk, bool ordered,
                         uint64_t *first, uint64_t *last, uintptr_t *reductions, void **memory)
{
  bool monotonic = ((unsigned)schedule & SCHEDULE_MONOTONIC) != 0;
  struct member *member =
      begin(loop, (unsigned)schedule | (monotonic ? 0 : ANY), chunk, ordered);
  ghcomp_share_construct(ghcomp_self(), member->work.loop.slot, reductions, memory);
  return first == NULL || next(member, first, last);
}

#define SHARED_START(infix, ordered)                                                    \
  EXPORT bool GOMP_loop_##infix##start(long start_, long end, long incr, long sched,    \
                                       long chunk, long *istart, long *iend,            \
                                       uintptr_t *reductions, void **mem)               \
  {                                                                                     \
    return start_shared(ghcomp_border_loop(start_, end, incr), sched, chunk_of(chunk),  \
                        ordered, (uint64_t *)istart, (uint64_t *)iend, reductions, mem); \
  }                                                                                     \
  EXPORT bool GOMP_loop_ull_##infix##start(                                             \
      bool up, unsigned long long start_, unsigned long long end,                       \
      unsigned long long incr, long sched, unsigned long long chunk,                    \
      unsigned long long *istart, unsigned long long *iend, uintptr_t *reductions,      \
      void **mem)                                                                       \
  {                                                                                     \
    return start_shared(ghcomp_border_loop_ull(up, start_, end, incr), sched, chunk,    \
                        ordered, (uint64_t *)istart, (uint64_t *)iend, reductions, mem); \
  }

SHARED_START(, false)
SHARED_START(ordered_, true)

/* -------------------------------------------------------------------- doacross */

static bool start_doacross(unsigned dimensions, const uint64_t *counts, long schedule,
                           uint64_t chunk, uint64_t *first, uint64_t *last,
                           uintptr_t *reductions, void **memory)
{
  struct loop loop = {.count = counts[0], .begin = 0, .end = counts[0], .step = 1,
                      .is_doacross = true};
  struct member *member = begin(loop, (unsigned)schedule, chunk, false);
  ghcomp_share_doacross(ghcomp_self(), member->work.loop.slot, reductions, memory, dimensions, counts);
  return first == NULL || next(member, first, last);
}

#define DOACROSS(name, schedule)                                                        \
  EXPORT bool GOMP_loop_doacross_##name##_start(unsigned ncounts, long *counts,         \
                                                long chunk, long *istart, long *iend)   \
  {                                                                                     \
    return start_doacross(ncounts, (uint64_t *)counts, schedule, chunk_of(chunk),       \
                          (uint64_t *)istart, (uint64_t *)iend, NULL, NULL);            \
  }                                                                                     \
  EXPORT bool GOMP_loop_ull_doacross_##name##_start(                                    \
      unsigned ncounts, unsigned long long *counts, unsigned long long chunk,           \
      unsigned long long *istart, unsigned long long *iend)                             \
  {                                                                                     \
    return start_doacross(ncounts, (uint64_t *)counts, schedule, chunk,                 \
                          (uint64_t *)istart, (uint64_t *)iend, NULL, NULL);            \
  }

DOACROSS(static, STATIC)
DOACROSS(dynamic, DYNAMIC)
DOACROSS(guided, GUIDED)

EXPORT bool GOMP_loop_doacross_runtime_start(unsigned ncounts, long *counts, long *istart,
                                             long *iend)
{
  return start_doacross(ncounts, (uint64_t *)counts, RUNTIME, 0, (uint64_t *)istart,
                        (uint64_t *)iend, NULL, NULL);
}

EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned ncounts, unsigned long long *counts,
                                                 unsigned long long *istart,
                                                 unsigned long long *iend)
{
  return start_doacross(ncounts, (uint64_t *)counts, RUNTIME, 0, (uint64_t *)istart,
                        (uint64_t *)iend, NULL, NULL);
}

EXPORT bool GOMP_loop_doacross_start(unsigned ncounts, long *counts, long sched, long chunk,
                                     long *istart, long *iend, uintptr_t *reductions, void **mem)
{
  return start_doacross(ncounts, (uint64_t *)counts, sched, chunk_of(chunk), (uint64_t *)istart,
                        (uint64_t *)iend, reductions, mem);
}

EXPORT bool GOMP_loop_ull_doacross_start(unsigned ncounts, unsigned long long *counts, long sched,
                                         unsigned long long chunk, unsigned long long *istart,
                                         unsigned long long *iend, uintptr_t *reductions,
                                         void **mem)
{
  return start_doacross(ncounts, (uint64_t *)counts, sched, chunk, (uint64_t *)istart,
                        (uint64_t *)iend, reductions, mem);
}

/* ------------------------------------------------------------------------- end */

EXPORT void GOMP_loop_end(void)
{
  ghcomp_barrier_wait(ghcomp_self());
}

EXPORT bool GOMP_loop_end_cancel(void)
{
  return ghcomp_barrier_wait_cancel(ghcomp_self());
}

EXPORT void GOMP_loop_end_nowait(void)
{
}

EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
  struct thread *self = ghcomp_self();
  uintptr_t *list = ghcomp_reduction_end_construct(self);
  if (!cancelled)
    ghcomp_barrier_wait(self);
  if (self->member->number == 0)
    ghcomp_reduction_release(list);
}
