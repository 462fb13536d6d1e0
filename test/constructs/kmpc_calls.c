/* Entry points of LLVM's and Intel's compilers that clang 14 does not call, called as compiled code would.
   env: OMP_MAX_ACTIVE_LEVELS=4 OMP_DYNAMIC=false
   stderr: num_threads\(strict: 5\), and the region goes on with 2: few
   link: -ldl */
#include "entry_point.h"

#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;
#define CHECK(condition)                                        \
  do {                                                          \
    if (!(condition)) {                                         \
      printf("line %d: expected %s\n", __LINE__, #condition);   \
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);          \
    }                                                           \
  } while (0)

/* CALL(result, name, types)(arguments) */
#define CALL(result, name, ...) ((result (*)(__VA_ARGS__))find("__kmpc_" #name))

typedef void body(int32_t *gtid, int32_t *bound);

static void fork_team(int threads, void *fn, int count, void *a)
{
  CALL(void, push_num_threads, void *, int32_t, int32_t)(NULL, 0, threads);
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, count, fn, a);
}

/* ------------------------------------------------------------------------ words */

enum { MANY = 300 };
static int called;

#define P4(n) intptr_t a##n##0, intptr_t a##n##1, intptr_t a##n##2, intptr_t a##n##3
#define S4(n) a##n##0 + 2 * a##n##1 + 3 * a##n##2 + 4 * a##n##3

static void with_17(int32_t *gtid, int32_t *bound, P4(a), P4(b), P4(c), P4(d), intptr_t last)
{
  CHECK(*bound == omp_get_thread_num());
  CHECK(*gtid == CALL(int32_t, global_thread_num, void *)(NULL));
  CHECK(S4(a) == 1 + 4 + 9 + 16 && S4(b) == 5 + 12 + 21 + 32 && S4(c) == 9 + 20 + 33 + 48 && S4(d) == 13 + 28 + 45 + 64);
  CHECK(last == 17);
  __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static void with_many(int32_t *gtid, int32_t *bound, P4(a), intptr_t e)
{
  (void)gtid, (void)bound;
  CHECK(S4(a) == 1 + 4 + 9 + 16 && e == 5);
  __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static void check_words(void)
{
  void (*fork)(void *, int32_t, void *, ...) = find("__kmpc_fork_call");
#define A(n) (intptr_t)(n)
  CALL(void, push_num_threads, void *, int32_t, int32_t)(NULL, 0, 3);
  fork(NULL, 17, with_17, A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10), A(11), A(12), A(13), A(14), A(15),
       A(16), A(17));
  CHECK(called == 3);
#define A10(n) A(n), A(n + 1), A(n + 2), A(n + 3), A(n + 4), A(n + 5), A(n + 6), A(n + 7), A(n + 8), A(n + 9)
#define A100(n) A10(n), A10(n + 10), A10(n + 20), A10(n + 30), A10(n + 40), A10(n + 50), A10(n + 60), A10(n + 70), \
                A10(n + 80), A10(n + 90)
  called = 0;
  CALL(void, push_num_threads, void *, int32_t, int32_t)(NULL, 0, 3);
  fork(NULL, MANY, with_many, A100(1), A100(101), A100(201));
  CHECK(called == 3);
}

/* ------------------------------------------------------------------ fork_call_if */

static void note_size(int32_t *gtid, int32_t *bound, int *size)
{
  (void)gtid, (void)bound;
  if (omp_get_thread_num() == 0)
    *size = omp_get_num_threads();
}

static void note_nothing(int32_t *gtid, int32_t *bound)
{
  (void)gtid, (void)bound;
  __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static void check_if(void)
{
  int size = 0;
  CALL(void, push_num_threads, void *, int32_t, int32_t)(NULL, 0, 3);
  CALL(void, fork_call_if, void *, int32_t, void *, int32_t, void *)(NULL, 1, note_size, 1, &size);
  CHECK(size == 3);
  CALL(void, push_num_threads, void *, int32_t, int32_t)(NULL, 0, 3);
  CALL(void, fork_call_if, void *, int32_t, void *, int32_t, void *)(NULL, 1, note_size, 0, &size);
  CHECK(size == 1);
  called = 0;
  CALL(void, push_num_threads, void *, int32_t, int32_t)(NULL, 0, 4);
  CALL(void, fork_call_if, void *, int32_t, void *, int32_t, void *)(NULL, 0, note_nothing, 1, NULL);
  CHECK(called == 4);
}

/* ------------------------------------------------- num_threads: a list, and strict */

static void innermost(int32_t *gtid, int32_t *bound, int *sizes)
{
  (void)gtid, (void)bound;
  if (omp_get_thread_num() == 0)
    sizes[2] = omp_get_num_threads();
}

static void inner(int32_t *gtid, int32_t *bound, int *sizes)
{
  (void)gtid, (void)bound;
  if (omp_get_thread_num() != 0)
    return;
  sizes[1] = omp_get_num_threads();
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, innermost, sizes);
}

static void outer(int32_t *gtid, int32_t *bound, int *sizes)
{
  (void)gtid, (void)bound;
  if (omp_get_thread_num() != 0)
    return;
  sizes[0] = omp_get_num_threads();
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, inner, sizes);
}

static void check_list(void)
{
  int sizes[3] = {0}, list[3] = {2, 4, 3}, shorter[2] = {3, 2}, size = 0;
  CALL(void, push_num_threads_list, void *, int32_t, uint32_t, int32_t *)(NULL, 0, 3, list);
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, outer, sizes);
  CHECK(sizes[0] == 2 && sizes[1] == 4 && sizes[2] == 3);
  CALL(void, push_num_threads_list, void *, int32_t, uint32_t, int32_t *)(NULL, 0, 2, shorter);
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, outer, sizes);
  CHECK(sizes[0] == 3 && sizes[1] == 2 && sizes[2] == 2); /* the last number holds for all levels below */
  omp_set_num_threads(3); /* without a list this holds again */
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, outer, sizes);
  CHECK(sizes[0] == 3 && sizes[1] == 3 && sizes[2] == 3);
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    CALL(void, push_num_threads_strict, void *, int32_t, int32_t, int32_t, const char *)(NULL, 0, 3, 2, "not said");
    CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, note_size, &size);
    CHECK(size == 3);
  }
}

/* A nested region cannot have all its threads where the limit is two.  */
static void check_strict(void)
{
  int size = 0, limit = 2;
  CALL(void, set_thread_limit, void *, int32_t, int32_t)(NULL, 0, limit);
  CALL(void, push_num_threads_strict, void *, int32_t, int32_t, int32_t, const char *)(NULL, 0, 5, 1, "few");
  CALL(void, fork_call, void *, int32_t, void *, ...)(NULL, 1, note_size, &size);
  CHECK(size == 2);
}

/* ----------------------------------------------------- single, sections, masked, … */

static int order[4], copies[4], had[7], done;

static void constructs(int32_t *gtid, int32_t *bound, void *unused)
{
  int me = *bound, mine = 0;
  (void)gtid, (void)unused;
  if (CALL(int32_t, masked, void *, int32_t, int32_t)(NULL, 0, 2)) {
    CHECK(me == 2);
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
    CALL(void, end_masked, void *, int32_t)(NULL, 0);
  }
  for (int round = 0; round < 100; round++) {
    int *copied = NULL;
    mine = 0;
    if (CALL(int32_t, single, void *, int32_t)(NULL, 0)) {
      mine = 4711 + round;
      copied = &mine;
    }
    copied = CALL(void *, copyprivate_light, void *, int32_t, void *)(NULL, 0, copied);
    CHECK(*copied == 4711 + round);
    CALL(void, barrier, void *, int32_t)(NULL, 0);
  }
  copies[me] = 1;
  if (CALL(int32_t, barrier_master, void *, int32_t)(NULL, 0)) {
    CHECK(me == 0 && copies[0] + copies[1] + copies[2] + copies[3] == 4);
    memset(copies, 0, sizeof copies);
    CALL(void, end_barrier_master, void *, int32_t)(NULL, 0);
  }
  CHECK(copies[me] == 0);
  if (CALL(int32_t, sections_init, void *, int32_t)(NULL, 0))
    for (int s; (s = CALL(int32_t, next_section, void *, int32_t, int32_t)(NULL, 0, 7)) < 7;)
      __atomic_fetch_add(&had[s], 1, __ATOMIC_RELAXED);
  CALL(void, end_sections, void *, int32_t)(NULL, 0);
  CALL(void, barrier, void *, int32_t)(NULL, 0);
  /* A reduction for which the compiler made no atomic form, and one with a barrier.  */
  struct { int32_t numbers[4]; const char *source; } where = {{0, 2, 0, 0}, ";;;;;"};
  static int32_t name[8];
  static long sum;
  long part = me + 1;
  void *list[] = {&part};
  int32_t form = CALL(int32_t, reduce, void *, int32_t, int32_t, size_t, void *, void *, void *)(&where, 0, 1, sizeof list,
                                                                                               list, NULL, name);
  CHECK(form == 1);
  sum += part;
  CALL(void, end_reduce, void *, int32_t, void *)(&where, 0, name);
  CHECK(sum == 1 + 2 + 3 + 4);
  order[me] = 1;
}

/* ------------------------------------------------------------------------ doacross */

/* A space of 40 by 7 whose iterations are dealt out one by one, as those of collapsed loops; the second
   dimension counts down by 2.  */
enum { ROWS = 40, COLUMNS = 7 };
static long at[ROWS][COLUMNS];

static long value(int row, int column, long (*of)[COLUMNS])
{
  long sum = 1;
  if (row >= 1 && column + 1 < COLUMNS)
    sum += of[row - 1][column + 1];
  if (column >= 1)
    sum += of[row][column - 1];
  if (row >= 3)
    sum += of[row - 3][column];
  return sum % 1000003;
}

static void wait_at(int row, int column)
{
  int64_t vector[2] = {10 + row, 12 - 2 * column};
  CALL(void, doacross_wait, void *, int32_t, int64_t *)(NULL, 0, vector);
}

static void across(int32_t *gtid, int32_t *bound, void *unused)
{
  struct { int64_t first, last, step; } spans[2] = {{10, 10 + ROWS - 1, 1}, {12, 0, -2}};
  (void)gtid, (void)unused;
  for (int round = 0; round < 30; round++) {
    CALL(void, doacross_init, void *, int32_t, int32_t, void *)(NULL, 0, 2, spans);
    for (int i = *bound; i < ROWS * COLUMNS; i += omp_get_num_threads()) {
      int row = i / COLUMNS, column = i % COLUMNS;
      wait_at(row - 1, column + 1);
      wait_at(row, column - 1);
      wait_at(row - 3, column);
      at[row][column] = value(row, column, at);
      int64_t vector[2] = {10 + row, 12 - 2 * column};
      CALL(void, doacross_post, void *, int32_t, int64_t *)(NULL, 0, vector);
    }
    CALL(void, doacross_fini, void *, int32_t)(NULL, 0);
    CALL(void, barrier, void *, int32_t)(NULL, 0);
    if (*bound == 0) {
      static long right[ROWS][COLUMNS];
      for (int i = 0; i < ROWS * COLUMNS; i++)
        right[i / COLUMNS][i % COLUMNS] = value(i / COLUMNS, i % COLUMNS, right);
      CHECK(memcmp(right, at, sizeof at) == 0);
      memset(at, 0, sizeof at);
    }
    CALL(void, barrier, void *, int32_t)(NULL, 0);
  }
}

/* -------------------------------------------------------------------- threadprivate */

static int variable[3] = {5, 6, 7};
static void *cache_1, *cache_2;

static int *copy(void **cache)
{
  return CALL(int *, threadprivate_cached, void *, int32_t, void *, size_t, void *)(NULL, 0, variable, sizeof variable, cache);
}

static void *addresses[40];

static void privates(int32_t *gtid, int32_t *bound, int *first)
{
  (void)gtid;
  int *mine = copy(&cache_1);
  if (*first)
    CHECK(*bound == 0 ? mine == variable && mine[0] == 100 : mine[0] == 5 && mine[1] == 6 && mine[2] == 7);
  else
    CHECK(mine == addresses[*bound] && mine[0] == (*bound == 0 ? 100 : 50 + *bound));
  CHECK(copy(&cache_2) == mine && CALL(int *, threadprivate, void *, int32_t, void *, size_t)(NULL, 0, variable, sizeof variable) == mine);
  if (*bound != 0)
    mine[0] = 50 + *bound;
  addresses[*bound] = mine;
  CALL(void, barrier, void *, int32_t)(NULL, 0); /* all threads exist at the same time */
}

static int constructed, destroyed;
static long object;
static void *cache_3;
static void *construct(void *memory)
{
  *(long *)memory = 77;
  __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED);
  return memory;
}
static void destroy(void *memory)
{
  CHECK(*(long *)memory == 77);
  __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
}

static void *native(void *unused)
{
  (void)unused;
  long *mine = CALL(long *, threadprivate_cached, void *, int32_t, void *, size_t, void *)(NULL, 0, &object, sizeof object, &cache_3);
  CHECK(*mine == 77);
  return mine;
}

static void check_threadprivate(void)
{
  int first = 1;
  pthread_t thread;
  copy(&cache_1)[0] = 100;
  fork_team(40, privates, 1, &first);
  first = 0;
  fork_team(40, privates, 1, &first);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < i; j++)
      CHECK(addresses[i] != addresses[j]);
  CALL(void, threadprivate_register, void *, void *, void *, void *, void *)(NULL, &object, construct, NULL, destroy);
  for (int i = 1; i <= 3; i++) {
    pthread_create(&thread, NULL, native, NULL);
    pthread_join(thread, NULL);
    CHECK(constructed == i && destroyed == i);
  }
}

/* ---------------------------------------------------------------------------- teams */

static int teams_seen;

static void one_team(int32_t *gtid, int32_t *bound, intptr_t teams)
{
  (void)gtid, (void)bound;
  CHECK(omp_get_num_teams() == teams);
  teams_seen |= 1 << omp_get_team_num();
}

static void check_teams(void)
{
  CALL(void, fork_teams, void *, int32_t, void *, ...)(NULL, 1, one_team, (intptr_t)1);
  CHECK(teams_seen == 1);
  teams_seen = 0;
  CALL(void, push_num_teams_51, void *, int32_t, int32_t, int32_t, int32_t)(NULL, 0, 2, 3, 0);
  CALL(void, fork_teams, void *, int32_t, void *, ...)(NULL, 1, one_team, (intptr_t)3);
  CHECK(teams_seen == 7);
}

int main(void)
{
  CHECK(CALL(int32_t, ok_to_fork, void *)(NULL) && !CALL(int32_t, in_parallel, void *)(NULL));
  check_words();
  check_if();
  check_list();
  fork_team(4, constructs, 1, NULL);
  CHECK(done == 1 && order[0] + order[1] + order[2] + order[3] == 4);
  for (int s = 0; s < 7; s++)
    CHECK(had[s] == 1);
  fork_team(1, note_nothing, 0, NULL);
  fork_team(4, across, 1, NULL);
  fork_team(1, across, 1, NULL);
  check_threadprivate();
  check_teams();
  CHECK(CALL(int32_t, global_num_threads, void *)(NULL) >= 40);
  check_strict();
  return wrong != 0;
}
