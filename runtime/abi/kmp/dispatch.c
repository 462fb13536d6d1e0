/* Worksharing loops whose chunks the runtime hands out one by one, all with an ordered clause among them.
   Spec: 5.2, 11.5, 15.10.2.

   The call that finds no further chunk ends the construct; clang 19 says so once more (deinit).  In an ordered
   loop the compiler tells the end of each iteration (fini).  */
#include "abi/kmp/loop_bounds.h"
#include "base/message.h"
#include "work/schedule.h"
#include "work/slots.h"

ENTRY_POINTS(kmp_dispatch);

enum { NO_MERGE = KMP_FIRST_NO_MERGE - 32 };

struct request {
  unsigned schedule; /* the compiler's, without modifiers, ordered and merging apart */
  bool any_order, ordered;
  uint64_t chunk;    /* 0: none */
};

static struct request request_of(int32_t schedule, int64_t chunk)
{
  unsigned plain = (unsigned)schedule & ~(KMP_MONOTONIC | KMP_NONMONOTONIC);
  struct request request = {.chunk = chunk > 0 ? (uint64_t)chunk : 0};
  if (plain >= KMP_FIRST_NO_MERGE)
    plain -= NO_MERGE;
  request.ordered = plain >= KMP_STATIC_CHUNKED + KMP_ORDERED && plain <= KMP_TRAPEZOIDAL + KMP_ORDERED;
  request.schedule = request.ordered ? plain - KMP_ORDERED : plain;
  request.any_order = ((unsigned)schedule & KMP_NONMONOTONIC) != 0 && !request.ordered;
  return request;
}

/* schedule(simd: runtime): what run-sched-var says, in chunks that are multiples of the compiler's.  */
static void choose_simd(struct loop *loop, const struct icv *icv, uint64_t width, unsigned threads)
{
  ghcomp_schedule_choose(loop, icv, SCHEDULE_ANY_ORDER, 0);
  width = width != 0 ? width : 1;
  if (loop->kind == LOOP_STATIC && loop->chunk == 0)
    loop->chunk = ghcomp_static_rounded(loop->count, width, threads, 0).count;
  else if (__builtin_mul_overflow(loop->chunk, width, &loop->chunk))
    loop->chunk = loop->count;
  loop->whole_chunks = true;
}

/* Fills kind and chunk.  */
static void choose(struct loop *loop, const struct icv *icv, const struct request *request, unsigned threads)
{
  unsigned any_order = request->any_order ? SCHEDULE_ANY_ORDER : 0;
  uint64_t chunk = request->chunk, at_least_1 = chunk != 0 ? chunk : 1;
  switch (request->schedule) {
  case KMP_STATIC:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_STATIC, 0);
    break;
  case KMP_STATIC_CHUNKED:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_STATIC, at_least_1);
    break;
  case KMP_STATIC_BALANCED_CHUNKED:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_STATIC, ghcomp_static_rounded(loop->count, at_least_1, threads, 0).count);
    break;
  case KMP_DYNAMIC:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_DYNAMIC | any_order, chunk);
    break;
  case KMP_STATIC_STEAL:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_DYNAMIC | SCHEDULE_ANY_ORDER, chunk);
    break;
  case KMP_GUIDED_SIMD:
    loop->whole_chunks = true;
    ghcomp_schedule_choose(loop, icv, SCHEDULE_GUIDED, chunk);
    break;
  case KMP_GUIDED:
  case KMP_TRAPEZOIDAL:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_GUIDED, chunk);
    break;
  case KMP_AUTO:
    ghcomp_schedule_choose(loop, icv, SCHEDULE_AUTO, 0);
    break;
  case KMP_RUNTIME:
    ghcomp_schedule_choose(loop, icv, any_order, 0);
    break;
  case KMP_RUNTIME_SIMD:
    choose_simd(loop, icv, chunk, threads);
    break;
  default:
    ghcomp_message_fatal("a loop has the schedule number %u; known are %d to %d and %d to %d: this program's compiler "
                         "is newer than this runtime, and the program ends here",
                         request->schedule, KMP_STATIC_CHUNKED, KMP_TRAPEZOIDAL, KMP_STATIC_STEAL, KMP_RUNTIME_SIMD);
  }
}

static void begin(int32_t schedule, int64_t chunk, uint64_t first, uint64_t count, int64_t step)
{
  struct member *member = ghcomp_self()->member;
  struct request request = request_of(schedule, chunk);
  struct loop loop = {.count = count, .begin = first, .step = (uint64_t)step, .ordered = request.ordered};
  choose(&loop, member->task->icv, &request, member->team->size);
  ghcomp_schedule_begin(member, &loop);
}

static inline struct loop *next(int32_t *last)
{
  struct member *member = ghcomp_self()->member;
  struct loop *loop = &member->work.loop;
  if (!ghcomp_schedule_next(member))
    return NULL;
  if (last != NULL)
    *last = loop->chunk_end == loop->count;
  return loop;
}

static void finish_iteration(void)
{
  struct loop *loop = &ghcomp_self()->member->work.loop;
  if (loop->ordered)
    ghcomp_ordered_finish_iteration(loop);
}

#define DISPATCH(suffix, T, S, MAX, MIN)                                                              \
  static inline uint64_t count_##suffix(T lower, T upper, S step)                                     \
  {                                                                                                   \
    bool runs = step > 0 ? lower <= upper : lower >= upper;                                           \
    return runs ? kmp_loop_count((uint64_t)lower, (uint64_t)upper, step) : 0;                         \
  }                                                                                                   \
  EXPORT void __kmpc_dispatch_init_##suffix(struct kmp_ident *where, int32_t gtid, int32_t schedule, T lower, \
                                            T upper, S step, S chunk)                                 \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    begin(schedule, chunk, (uint64_t)lower, count_##suffix(lower, upper, step), step);                \
  }                                                                                                   \
  EXPORT int32_t __kmpc_dispatch_next_##suffix(struct kmp_ident *where, int32_t gtid, int32_t *last, T *lower, \
                                               T *upper, S *stride)                                   \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    const struct loop *loop = next(last);                                                             \
    if (loop == NULL)                                                                                 \
      return 0;                                                                                       \
    *lower = (T)(loop->begin + loop->chunk_first * loop->step);                                             \
    *upper = (T)(loop->begin + (loop->chunk_end - 1) * loop->step);                                        \
    if (stride != NULL)                                                                               \
      *stride = (S)loop->step;                                                                        \
    return 1;                                                                                         \
  }                                                                                                   \
  EXPORT void __kmpc_dispatch_fini_##suffix(struct kmp_ident *where, int32_t gtid)                    \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    finish_iteration();                                                                               \
  }                                                                                                   \
  EXPORT void __kmpc_dist_dispatch_init_##suffix(struct kmp_ident *where, int32_t gtid, int32_t schedule, \
                                                 int32_t *last, T lower, T upper, S step, S chunk)    \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    const struct team *team = ghcomp_self()->member->team;                                            \
    struct part part = ghcomp_static_even(count_##suffix(lower, upper, step), team->num_teams, team->team_num); \
    if (last != NULL)                                                                                 \
      *last = part.has_last;                                                                              \
    begin(schedule, chunk, (uint64_t)lower + part.first * (uint64_t)step, part.count, step);          \
  }

KMP_LOOP_TYPES(DISPATCH)

EXPORT void __kmpc_dispatch_deinit(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}

/* ---------------------------------------------------------------------- ordered */

EXPORT void __kmpc_ordered(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct member *member = ghcomp_self()->member;
  if (member->work.loop.ordered)
    ghcomp_ordered_enter(member);
}

EXPORT void __kmpc_end_ordered(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct member *member = ghcomp_self()->member;
  if (member->work.loop.ordered)
    ghcomp_ordered_leave(member);
}
