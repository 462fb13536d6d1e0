/* storey: abi */
/* Static and dispatched loops as LLVM's compilers call them, in all four types, upward and downward, up to the
   ends of the type.  The members' parts are disjoint, cover the loop, and are as even as required.  The member
   with the last iteration is told so by `last`.  distribute: the same for teams.  */
#include "abi/kmp/kmp.h"
#include "expect.h"
#include "made_team.h"

enum { MOST_MEMBERS = 9, MOST_TEAMS = 4, ROOM = 4096 };

#define DECLARE(suffix, T, S)                                                                            \
  void __kmpc_for_static_init_##suffix(struct kmp_ident *, int32_t, int32_t, int32_t *, T *, T *, S *, S, S); \
  void __kmpc_dist_for_static_init_##suffix(struct kmp_ident *, int32_t, int32_t, int32_t *, T *, T *, T *, S *, S, S); \
  void __kmpc_team_static_init_##suffix(struct kmp_ident *, int32_t, int32_t *, T *, T *, S *, S, S);    \
  void __kmpc_dispatch_init_##suffix(struct kmp_ident *, int32_t, int32_t, T, T, S, S);                  \
  void __kmpc_dist_dispatch_init_##suffix(struct kmp_ident *, int32_t, int32_t, int32_t *, T, T, S, S);  \
  int32_t __kmpc_dispatch_next_##suffix(struct kmp_ident *, int32_t, int32_t *, T *, T *, S *);
DECLARE(4, int32_t, int32_t)
DECLARE(4u, uint32_t, int32_t)
DECLARE(8, int64_t, int64_t)
DECLARE(8u, uint64_t, int64_t)

static struct team *team;
static struct icv icv = {.run_schedule = SCHEDULE_DYNAMIC, .run_chunk = 3};

static void be(unsigned number)
{
  struct member *member = &team->members[number];
  member->thread->member = member;
  member->task = &member->implicit;
  member->implicit.icv = &icv;
  ghcomp_self_becomes(member->thread);
}

static unsigned char had[ROOM]; /* how often each iteration was handed out */
static unsigned lasts, last_at; /* how many members were told that they have the last one, and which */
static unsigned count_of[MOST_MEMBERS * MOST_TEAMS];

static void begin(void)
{
  memset(had, 0, sizeof had);
  memset(count_of, 0, sizeof count_of);
  lasts = 0;
  last_at = 0;
}

static void check_cover(unsigned count, const char *what, int schedule, long long chunk, unsigned members)
{
  unsigned wrong = 0;
  for (unsigned i = 0; i < ROOM; i++)
    wrong += had[i] != (i < count);
  if (wrong != 0 || lasts != (count != 0))
    printf("%s: schedule %d, chunk %lld, %u iterations, %u members\n", what, schedule, chunk, count, members);
  EXPECT_NUMBER(wrong, 0);
  EXPECT_NUMBER(lasts, count != 0);
}

/* The members' iterations as compiled code runs them, except that the bounds may exceed the type.  `whole`: the
   loop's upper bound.  */
#define RUN(suffix, T, S, low, high)                                                                     \
  static void take_##suffix(T first, T lower, T upper, S step, unsigned count, unsigned who, int32_t last) \
  {                                                                                                      \
    bool had_last = false;                                                                               \
    for (T i = lower; step > 0 ? i <= upper : i >= upper; i = (T)((uint64_t)i + (uint64_t)step)) {       \
      uint64_t number = step > 0 ? ((uint64_t)i - (uint64_t)first) / (uint64_t)step                      \
                                 : ((uint64_t)first - (uint64_t)i) / (0 - (uint64_t)step);               \
      if (EXPECT(number < count))                                                                        \
        had[number]++;                                                                                   \
      had_last = had_last || number == count - 1;                                                        \
      count_of[who]++;                                                                                   \
      if (i == upper || number >= count)                                                                 \
        break;                                                                                           \
    }                                                                                                    \
    if (had_last)                                                                                        \
      EXPECT(last);                                                                                      \
    lasts += had_last && last;                                                                           \
  }                                                                                                      \
  static void chunks_##suffix(T first, T whole, T lower, T upper, S stride, S step, unsigned count, unsigned who, \
                              int32_t last)                                                              \
  {                                                                                                      \
    while (step > 0 ? lower <= whole : lower >= whole) {                                                 \
      T end = (step > 0 ? upper > whole : upper < whole) ? whole : upper;                                \
      take_##suffix(first, lower, end, step, count, who, last);                                          \
      T next = (T)((uint64_t)lower + (uint64_t)stride);                                                  \
      if (step > 0 ? next <= lower : next >= lower)                                                      \
        break; /* beyond the type */                                                                     \
      T next_upper = (T)((uint64_t)upper + (uint64_t)stride);                                            \
      bool beyond = step > 0 ? next_upper < upper : next_upper > upper;                                  \
      lower = next;                                                                                      \
      upper = beyond ? whole : next_upper;                                                               \
    }                                                                                                    \
  }                                                                                                      \
  static void check_static_##suffix(int schedule, T first, T whole, S step, S chunk, unsigned count)     \
  {                                                                                                      \
    unsigned members = schedule >= 91 ? team->num_teams : team->size;                                    \
    begin();                                                                                             \
    for (unsigned m = 0; m < members; m++) {                                                             \
      T lower = first, upper = whole;                                                                    \
      S stride = 77;                                                                                     \
      int32_t last = 77;                                                                                 \
      be(schedule >= 91 ? 0 : m);                                                                        \
      if (schedule >= 91)                                                                                \
        team->team_num = m;                                                                              \
      __kmpc_for_static_init_##suffix(NULL, 0, schedule, &last, &lower, &upper, &stride, step, chunk);   \
      EXPECT(last == 0 || last == 1);                                                                    \
      if (schedule == 34 || schedule == 92 || schedule == 45)                                            \
        take_##suffix(first, lower, upper, step, count, m, last);                                        \
      else                                                                                               \
        chunks_##suffix(first, whole, lower, upper, stride, step, count, m, last);                       \
      if (schedule == 34 || schedule == 92)                                                              \
        EXPECT_NUMBER(count_of[m], count / members + (m < count % members));                             \
    }                                                                                                    \
    check_cover(count, "for_static_init_" #suffix, schedule, (long long)chunk, members);                 \
  }                                                                                                      \
  static void check_dispatch_##suffix(int schedule, T first, T whole, S step, S chunk, unsigned count)   \
  {                                                                                                      \
    bool over[MOST_MEMBERS] = {false};                                                                   \
    begin();                                                                                             \
    for (unsigned m = 0; m < team->size; m++) {                                                          \
      be(m);                                                                                             \
      __kmpc_dispatch_init_##suffix(NULL, 0, schedule, first, whole, step, chunk);                       \
    }                                                                                                    \
    for (unsigned left = team->size; left > 0;) {                                                        \
      unsigned m = (unsigned)rand() % team->size;                                                        \
      T lower, upper;                                                                                    \
      S stride;                                                                                          \
      int32_t last;                                                                                      \
      be(m);                                                                                             \
      if (over[m]) {                                                                                     \
        continue;                                                                                        \
      } else if (__kmpc_dispatch_next_##suffix(NULL, 0, &last, &lower, &upper, &stride) == 0) {          \
        over[m] = true;                                                                                  \
        left--;                                                                                          \
      } else {                                                                                           \
        EXPECT_NUMBER((long long)stride, (long long)step);                                               \
        take_##suffix(first, lower, upper, step, count, m, last);                                        \
      }                                                                                                  \
    }                                                                                                    \
    check_cover(count, "dispatch_" #suffix, schedule, (long long)chunk, team->size);                     \
  }                                                                                                      \
  static void check_distribute_##suffix(int schedule, T first, T whole, S step, S chunk, unsigned count) \
  {                                                                                                      \
    begin();                                                                                             \
    for (unsigned t = 0; t < team->num_teams; t++)                                                       \
      for (unsigned m = 0; m < team->size; m++) {                                                        \
        T lower = first, upper = whole, team_upper = whole;                                              \
        S stride = 77;                                                                                   \
        int32_t last = 77;                                                                               \
        be(m);                                                                                           \
        team->team_num = t;                                                                              \
        __kmpc_dist_for_static_init_##suffix(NULL, 0, schedule, &last, &lower, &upper, &team_upper, &stride, step, chunk); \
        if (schedule == 34)                                                                              \
          take_##suffix(first, lower, upper, step, count, t * team->size + m, last);                     \
        else                                                                                             \
          chunks_##suffix(first, team_upper, lower, upper, stride, step, count, t * team->size + m, last); \
      }                                                                                                  \
    check_cover(count, "dist_for_static_init_" #suffix, schedule, (long long)chunk, team->size);         \
    begin();                                                                                             \
    for (unsigned t = 0; t < team->num_teams; t++) {                                                     \
      T lower = first, upper = whole;                                                                    \
      S stride = 77;                                                                                     \
      int32_t last = 77;                                                                                 \
      be(0);                                                                                             \
      team->team_num = t;                                                                                \
      __kmpc_team_static_init_##suffix(NULL, 0, &last, &lower, &upper, &stride, step, chunk);            \
      chunks_##suffix(first, whole, lower, upper, stride, step, count, t, last);                         \
    }                                                                                                    \
    check_cover(count, "team_static_init_" #suffix, 91, (long long)chunk, team->num_teams);              \
  }                                                                                                      \
  static void check_all_##suffix(T first, S step, unsigned count)                                        \
  {                                                                                                      \
    static const int static_schedules[] = {33, 34, 45, 91, 92};                                          \
    static const int dispatched[] = {33, 34, 35, 36, 37, 38, 39, 44, 45, 46, 47, 161, 163,               \
                                     35 | 1 << 30, 36 | 1 << 30, 37 | 1 << 30, 35 | 1 << 29};            \
    static const int chunks[] = {0, -1, 1, 2, 7, 1000};                                                  \
    T whole = (T)((uint64_t)first + ((uint64_t)count - 1) * (uint64_t)step);                             \
    for (unsigned c = 0; c < sizeof chunks / sizeof *chunks; c++) {                                      \
      for (unsigned s = 0; s < sizeof static_schedules / sizeof *static_schedules; s++)                  \
        check_static_##suffix(static_schedules[s], first, whole, step, chunks[c], count);                \
      for (unsigned s = 0; s < sizeof dispatched / sizeof *dispatched; s++)                              \
        check_dispatch_##suffix(dispatched[s], first, whole, step, chunks[c], count);                    \
      check_distribute_##suffix(34, first, whole, step, chunks[c], count);                               \
      check_distribute_##suffix(33, first, whole, step, chunks[c], count);                               \
    }                                                                                                    \
  }                                                                                                      \
  static void check_none_##suffix(void)                                                                  \
  {                                                                                                      \
    T lower = 5, upper = 4;                                                                              \
    S stride = 0;                                                                                        \
    int32_t last = 77;                                                                                   \
    be(0);                                                                                               \
    __kmpc_for_static_init_##suffix(NULL, 0, 34, &last, &lower, &upper, &stride, 1, 1);                  \
    EXPECT(last == 0 && lower == 5 && upper == 4);                                                       \
    __kmpc_for_static_init_##suffix(NULL, 0, 34, NULL, &lower, &upper, &stride, 1, 1);                   \
    __kmpc_dispatch_init_##suffix(NULL, 0, 35, 5, 4, 1, 1);                                              \
    EXPECT(__kmpc_dispatch_next_##suffix(NULL, 0, &last, &lower, &upper, NULL) == 0);                    \
    for (unsigned m = 1; m < team->size; m++) { /* all enter it   */                                     \
      be(m);                                                                                             \
      __kmpc_dispatch_init_##suffix(NULL, 0, 35, 5, 4, 1, 1);                                            \
    }                                                                                                    \
  }                                                                                                      \
  static void check_type_##suffix(void)                                                                  \
  {                                                                                                      \
    static const unsigned counts[] = {1, 2, 3, 7, 8, 9, 10, 100, 1003};                                  \
    static const S steps[] = {1, -1, 3, -5};                                                             \
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)                                        \
      for (unsigned s = 0; s < sizeof steps / sizeof *steps; s++) {                                      \
        T reach = (T)((uint64_t)(counts[c] - 1) * (uint64_t)(steps[s] > 0 ? steps[s] : -steps[s]));      \
        check_all_##suffix(steps[s] > 0 ? (T)0 : reach, steps[s], counts[c]);                            \
        check_all_##suffix(steps[s] > 0 ? (T)((uint64_t)(high) - (uint64_t)reach) : (T)(high), steps[s], counts[c]); \
        check_all_##suffix(steps[s] > 0 ? (T)(low) : (T)((uint64_t)(low) + (uint64_t)reach), steps[s], counts[c]); \
      }                                                                                                  \
    check_none_##suffix();                                                                               \
  }

RUN(4, int32_t, int32_t, INT32_MIN, INT32_MAX)
RUN(4u, uint32_t, int32_t, 0, UINT32_MAX)
RUN(8, int64_t, int64_t, INT64_MIN, INT64_MAX)
RUN(8u, uint64_t, int64_t, 0, UINT64_MAX)

int main(void)
{
  static const unsigned sizes[] = {1, 2, 3, MOST_MEMBERS};
  srand(1);
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    team = make_team(sizes[s]);
    team->num_teams = s + 1;
    check_type_4();
    check_type_4u();
    check_type_8();
    check_type_8u();
    ghcomp_self_becomes(NULL);
    free_team(team);
  }
  return expect_result();
}
