/* Worksharing loops, sections and distribute with static schedules: the member's, or the team's, part of
   the bounds that the compiler has.  Spec: 5.2, 11.3, 11.5, 11.6.

   A schedule with chunks gives the first one; the compiler adds the stride and cuts off what is beyond the
   loop's end.  Where a member has nothing, lower comes after upper.  */
#include "abi/kmp/loop_bounds.h"
#include "base/message.h"

ENTRY_POINTS(kmp_for_static);

struct share {
  unsigned parts, number;
};

static inline struct share among_members(const struct member *member)
{
  return (struct share){member->team->size, member->number};
}

static inline struct share among_teams(const struct member *member)
{
  return (struct share){member->team->num_teams, member->team->team_num};
}

static inline struct part part_of(unsigned schedule, uint64_t count, int64_t chunk, struct share share)
{
  switch (schedule) {
  case KMP_STATIC:
  case KMP_DISTRIBUTE:
    return ghcomp_static_even(count, share.parts, share.number);
  case KMP_STATIC_CHUNKED:
  case KMP_DISTRIBUTE_CHUNKED:
    return ghcomp_static_dealt(count, kmp_loop_chunk(chunk), share.parts, share.number);
  case KMP_STATIC_BALANCED_CHUNKED:
    return ghcomp_static_rounded(count, kmp_loop_chunk(chunk), share.parts, share.number);
  default:
    ghcomp_message_fatal("a loop has the static schedule number %u; known are %d, %d, %d, %d, %d: this program's "
                         "compiler is newer than this runtime, and the program ends here",
                         schedule, KMP_STATIC_CHUNKED, KMP_STATIC, KMP_STATIC_BALANCED_CHUNKED,
                         KMP_DISTRIBUTE_CHUNKED, KMP_DISTRIBUTE);
  }
}

static inline struct share share_of(unsigned schedule)
{
  const struct member *member = ghcomp_self()->member;
  return schedule >= KMP_DISTRIBUTE_CHUNKED && schedule <= KMP_DISTRIBUTE ? among_teams(member)
                                                                         : among_members(member);
}

#define PLAIN(schedule) ((unsigned)(schedule) & ~(KMP_MONOTONIC | KMP_NONMONOTONIC))

/* divide_T: the bounds of the whole become those of the part, which place_T stores.  Nothing beyond the
   loop's own bounds is stored, but for an empty range, which goes one beyond on the side where the type has
   room.  */
#define BOUNDS(suffix, T, S, MAX, MIN)                                                                \
  static inline void empty_##suffix(T *lower, T *upper, S step)                                       \
  {                                                                                                   \
    T end = *upper;                                                                                   \
    if (step > 0)                                                                                     \
      *lower = end != MAX ? end + 1 : (*upper = end - 1, end);                                        \
    else                                                                                              \
      *lower = end != MIN ? end - 1 : (*upper = end + 1, end);                                        \
  }                                                                                                   \
  static inline bool runs_##suffix(T lower, T upper, S step)                                          \
  {                                                                                                   \
    return step > 0 ? lower <= upper : lower >= upper;                                                \
  }                                                                                                   \
  static inline void place_##suffix(struct part part, int32_t *last, T *lower, T *upper, S *stride, S step) \
  {                                                                                                   \
    *stride = (S)(part.stride * (uint64_t)step);                                                      \
    if (last != NULL)                                                                                 \
      *last = part.has_last;                                                                              \
    if (part.count == 0) {                                                                            \
      empty_##suffix(lower, upper, step);                                                             \
      return;                                                                                         \
    }                                                                                                 \
    *lower = (T)((uint64_t)*lower + part.first * (uint64_t)step);                                     \
    *upper = (T)((uint64_t)*lower + (part.count - 1) * (uint64_t)step);                               \
  }                                                                                                   \
  static inline void divide_##suffix(unsigned schedule, struct share share, int32_t *last, T *lower, T *upper, \
                                     S *stride, S step, S chunk)                                      \
  {                                                                                                   \
    if (!runs_##suffix(*lower, *upper, step)) {                                                       \
      if (last != NULL)                                                                               \
        *last = 0;                                                                                    \
      *stride = step;                                                                                 \
      return;                                                                                         \
    }                                                                                                 \
    uint64_t count = kmp_loop_count((uint64_t)*lower, (uint64_t)*upper, step);                        \
    if (share.parts == 1) {                                                                           \
      if (last != NULL)                                                                               \
        *last = 1;                                                                                    \
      *stride = (S)(count * (uint64_t)step);                                                          \
      return;                                                                                         \
    }                                                                                                 \
    place_##suffix(part_of(schedule, count, chunk, share), last, lower, upper, stride, step);         \
  }

KMP_LOOP_TYPES(BOUNDS)

#define FOR_STATIC_INIT(suffix, T, S, MAX, MIN)                                                       \
  EXPORT void __kmpc_for_static_init_##suffix(struct kmp_ident *where, int32_t gtid, int32_t schedule, \
                                              int32_t *last, T *lower, T *upper, S *stride, S step, S chunk) \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    divide_##suffix(PLAIN(schedule), share_of(PLAIN(schedule)), last, lower, upper, stride, step, chunk); \
  }

KMP_LOOP_TYPES(FOR_STATIC_INIT)

EXPORT void __kmpc_for_static_fini(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}

/* Intel's compilers end distribute parallel for by a call of its own.  */
EXPORT void __kmpc_dist_for_static_fini(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}

/* ------------------------------------------------------------------- distribute */

/* distribute parallel for: the team's part, whose end is *team_upper, and of that the member's.  */
#define DIST_FOR_STATIC_INIT(suffix, T, S, MAX, MIN)                                                  \
  EXPORT void __kmpc_dist_for_static_init_##suffix(struct kmp_ident *where, int32_t gtid, int32_t schedule, \
                                                   int32_t *last, T *lower, T *upper, T *team_upper,  \
                                                   S *stride, S step, S chunk)                        \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    const struct member *member = ghcomp_self()->member;                                              \
    int32_t team_last = 0, member_last = 0;                                                           \
    divide_##suffix(KMP_STATIC, among_teams(member), &team_last, lower, upper, stride, step, 0);      \
    if (team_upper != NULL)                                                                           \
      *team_upper = *upper;                                                                           \
    divide_##suffix(PLAIN(schedule), among_members(member), &member_last, lower, upper, stride, step, chunk); \
    if (last != NULL)                                                                                 \
      *last = team_last && member_last;                                                               \
  }

/* distribute with chunks.  */
#define TEAM_STATIC_INIT(suffix, T, S, MAX, MIN)                                                      \
  EXPORT void __kmpc_team_static_init_##suffix(struct kmp_ident *where, int32_t gtid, int32_t *last, T *lower, \
                                               T *upper, S *stride, S step, S chunk)                  \
  {                                                                                                   \
    (void)where, (void)gtid;                                                                          \
    divide_##suffix(KMP_DISTRIBUTE_CHUNKED, among_teams(ghcomp_self()->member), last, lower, upper, stride, \
                    step, chunk);                                                                     \
  }

KMP_LOOP_TYPES(DIST_FOR_STATIC_INIT)
KMP_LOOP_TYPES(TEAM_STATIC_INIT)
