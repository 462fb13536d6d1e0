/* parallel combined with a loop: the members begin inside the loop.  Spec: 5.2, 17.1.  */
#include "abi/border.h"
#include "team/team.h"
#include "work/schedule.h"

ENTRY_POINTS(gomp_parallel_loop);

static void start(void (*fn)(void *), void *data, unsigned num_threads, struct loop loop,
                  unsigned schedule, long chunk, unsigned flags)
{
  struct thread *self = ghcomp_self();
  ghcomp_schedule_choose(&loop, self->member->task->icv, schedule, chunk > 0 ? (uint64_t)chunk : 0);
  struct region region = {.fn = fn, .data = data, .threads = num_threads, .bind = flags & 7,
                          .preset = PRESET_LOOP, .loop = &loop};
  ghcomp_team_fork(self, &region);
}

static void run(void (*fn)(void *), void *data, unsigned num_threads, struct loop loop,
                unsigned schedule, long chunk, unsigned flags)
{
  start(fn, data, num_threads, loop, schedule, chunk, flags);
  fn(data);
  ghcomp_team_join(ghcomp_self());
}

#define PARALLEL_LOOP(name, schedule)                                                     \
  EXPORT void GOMP_parallel_loop_##name(void (*fn)(void *), void *data,                   \
                                        unsigned num_threads, long start_, long end,      \
                                        long incr, long chunk, unsigned flags)            \
  {                                                                                       \
    run(fn, data, num_threads, ghcomp_border_loop(start_, end, incr), schedule, chunk,    \
        flags);                                                                           \
  }
#define PARALLEL_LOOP_RUNTIME(name, schedule)                                             \
  EXPORT void GOMP_parallel_loop_##name(void (*fn)(void *), void *data,                   \
                                        unsigned num_threads, long start_, long end,      \
                                        long incr, unsigned flags)                        \
  {                                                                                       \
    run(fn, data, num_threads, ghcomp_border_loop(start_, end, incr), schedule, 0, flags); \
  }
/* The form of GCC before 4.9.  */
#define PARALLEL_LOOP_START(name, schedule)                                               \
  EXPORT void GOMP_parallel_loop_##name##_start(void (*fn)(void *), void *data,           \
                                                unsigned num_threads, long start_,        \
                                                long end, long incr, long chunk)          \
  {                                                                                       \
    start(fn, data, num_threads, ghcomp_border_loop(start_, end, incr), schedule, chunk,  \
          0);                                                                              \
  }

PARALLEL_LOOP(static, SCHEDULE_STATIC)
PARALLEL_LOOP(dynamic, SCHEDULE_DYNAMIC)
PARALLEL_LOOP(guided, SCHEDULE_GUIDED)
PARALLEL_LOOP(nonmonotonic_dynamic, SCHEDULE_DYNAMIC | SCHEDULE_ANY_ORDER)
PARALLEL_LOOP(nonmonotonic_guided, SCHEDULE_GUIDED)
PARALLEL_LOOP_RUNTIME(runtime, 0)
PARALLEL_LOOP_RUNTIME(nonmonotonic_runtime, SCHEDULE_ANY_ORDER)
PARALLEL_LOOP_RUNTIME(maybe_nonmonotonic_runtime, SCHEDULE_ANY_ORDER)
PARALLEL_LOOP_START(static, SCHEDULE_STATIC)
PARALLEL_LOOP_START(dynamic, SCHEDULE_DYNAMIC)
PARALLEL_LOOP_START(guided, SCHEDULE_GUIDED)

EXPORT void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data,
                                             unsigned num_threads, long start_, long end,
                                             long incr)
{
  start(fn, data, num_threads, ghcomp_border_loop(start_, end, incr), 0, 0, 0);
}
