/* Every member's values come to the variables once, in teams of all sizes, where members are late, come to the next
   reduction while others are in this one, wait for each other behind it, or never come because the region is
   cancelled.  A member uses its values again as soon as the call returns.

   Whoever includes this sets the four functions.  Read by reductions.c and ../unit/reduce_test.c.  */
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REDUCTIONS = 12, FEW_TIMES = 3 };
static const int sizes[] = {1, 2, 8, 9, 11, 16, 17, 22, 33};

struct place {
  int32_t reserved, flags, more[2];
  const char *source;
};
static struct place plain = {.flags = 2}, with_atomics = {.flags = 0x12};
static int32_t lock[8];

typedef void combination(void *to, void *from);
static int32_t (*begin)(struct place *, int32_t, int32_t, size_t, void *, combination *, int32_t *);
static int32_t (*begin_nowait)(struct place *, int32_t, int32_t, size_t, void *, combination *, int32_t *);
static void (*end)(struct place *, int32_t, int32_t *), (*end_nowait)(struct place *, int32_t, int32_t *);

/* Two variables of the program, and a member's values for them.  */
struct pair {
  long sum;
  double product;
};

static void combine(void *to, void *from)
{
  void **into = to, **of = from;
  *(long *)into[0] += *(long *)of[0];
  *(double *)into[1] *= *(double *)of[1];
}

static void combine_by_atomics(struct pair *variables, const struct pair *values)
{
#pragma omp atomic
  variables->sum += values->sum;
#pragma omp atomic
  variables->product *= values->product;
}

/* Adds `number` + 1, and doubles the product.  */
static void reduce(struct pair *variables, int number, bool atomics, bool nowait)
{
  struct pair values = {number + 1, 2};
  void *list[2] = {&values.sum, &values.product};
  struct place *where = atomics ? &with_atomics : &plain;
  switch ((nowait ? begin_nowait : begin)(where, 0, 2, sizeof list, list, combine, lock)) {
  case 1:
    combine((void *[]){&variables->sum, &variables->product}, list);
    (nowait ? end_nowait : end)(where, 0, lock);
    break;
  case 2:
    combine_by_atomics(variables, &values);
    if (!nowait)
      end(where, 0, lock);
    break;
  }
  values = (struct pair){-1000000, 0};
  list[0] = list[1] = NULL;
  __asm__ volatile("" ::"g"(&values), "g"(list) : "memory");
}

static void check(const struct pair *variables, int members, const char *what)
{
  double product = 1;
  for (int i = 0; i < members; i++)
    product *= 2;
  if (variables->sum == (long)members * (members + 1) / 2 && variables->product == product)
    return;
  printf("%s, %d members: %ld, expected %d; %g, expected %g\n", what, members, variables->sum, members * (members + 1) / 2,
         variables->product, product);
  exit(1);
}

static const struct pair nothing = {0, 1};

static void be_late(int number, int round)
{
  if ((number * 7 + round * 3) % 11 != 0)
    return;
  struct timespec now, until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 1000 * (1 + (number + round) % 40);
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while (now.tv_sec == until.tv_sec && now.tv_nsec < until.tv_nsec);
}

/* Members may be several reductions apart.  */
static void in_a_row(int members)
{
  struct pair variables[REDUCTIONS];
  for (int r = 0; r < REDUCTIONS; r++)
    variables[r] = nothing;
#pragma omp parallel num_threads(members)
  for (int r = 0; r < REDUCTIONS; r++) {
    be_late(omp_get_thread_num(), r);
    reduce(&variables[r], omp_get_thread_num(), r % 3 != 0, true);
  }
  for (int r = 0; r < REDUCTIONS; r++)
    check(&variables[r], members, "in a row");
}

static void with_barriers(int members)
{
  struct pair variables = nothing;
#pragma omp parallel num_threads(members)
  for (int r = 0; r < REDUCTIONS; r++) {
    be_late(omp_get_thread_num(), r);
    reduce(&variables, omp_get_thread_num(), r % 3 != 0, false);
    if (omp_get_thread_num() == r % members)
      check(&variables, members, "with a barrier");
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      variables = nothing;
#pragma omp barrier
  }
}

/* Each member comes only when the one after it, or before it, has gone on.  */
static void one_by_one(int members, bool forwards)
{
  struct pair variables = nothing;
  _Atomic int gone = 0;
#pragma omp parallel num_threads(members)
  {
    int number = omp_get_thread_num();
    while (gone != (forwards ? number : members - 1 - number))
      sched_yield();
    reduce(&variables, number, true, true);
    gone++;
  }
  check(&variables, members, "one by one");
}

/* Some leave the region before they have come to the reduction.  */
static void cancelled(int members)
{
  struct pair variables = nothing;
#pragma omp parallel num_threads(members)
  {
    if (omp_get_thread_num() % 3 == 1) {
#pragma omp cancel parallel
    }
    reduce(&variables, omp_get_thread_num(), true, true);
  }
}

static void nested(int members)
{
  struct pair outer = nothing;
#pragma omp parallel num_threads(3)
  {
    struct pair variables = nothing;
#pragma omp parallel num_threads(members)
    reduce(&variables, omp_get_thread_num(), false, true);
    check(&variables, members, "nested");
    reduce(&outer, omp_get_thread_num(), true, true);
  }
  check(&outer, 3, "around nested ones");
}

static int check_all(void)
{
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int times = 0; times < FEW_TIMES; times++) {
      int members = sizes[i];
      in_a_row(members);
      with_barriers(members);
      one_by_one(members, times % 2 == 0);
      cancelled(members);
      in_a_row(members);
      if (members < 23)
        nested(members);
    }
  return 0;
}
