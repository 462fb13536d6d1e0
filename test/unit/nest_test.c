/* storey: work */
/* Nests of loops whose bounds depend on outer variables, with any types, steps and slopes.  The members' parts,
   one after another, are all iterations in the order of execution.  The parts of a block are even.  */
#include "work/nest.h"

#include "expect.h"

#include <stdlib.h>

enum { DEEPEST = 3, MOST = 1 << 17, ROUNDS = 20000 };

static int64_t points[MOST][DEEPEST]; /* all iterations of the nest, in order */
static unsigned count;

static void enumerate(const struct nest_loop *loops, unsigned depth, unsigned at, int64_t *values)
{
  if (at == depth) {
    if (count < MOST)
      memcpy(points[count], values, depth * sizeof *values);
    count++;
    return;
  }
  const struct nest_loop *loop = &loops[at];
  int64_t from = loop->start + loop->start_slope * values[loop->outer];
  int64_t to = loop->last + loop->last_slope * values[loop->outer];
  for (int64_t v = from; loop->step > 0 ? v <= to : v >= to; v += loop->step) {
    values[at] = v;
    enumerate(loops, depth, at + 1, values);
  }
}

static int64_t between(int64_t low, int64_t high)
{
  return low + rand() % (high - low + 1);
}

static struct nest_loop random_loop(unsigned at, bool block)
{
  bool depends = at > 0 && !block && rand() % 3 != 0;
  struct nest_loop loop = {.start = between(-6, 6), .step = rand() % 2 ? between(1, 3) : -between(1, 3),
                           .outer = depends ? (unsigned)rand() % at : 0, .bits = rand() % 2 ? 32 : 64, .is_signed = true};
  loop.last = loop.start + (loop.step > 0 ? 1 : -1) * between(depends ? -3 : 0, 9);
  loop.start_slope = depends ? between(-1, 1) : 0;
  loop.last_slope = depends ? between(-1, 1) : 0;
  return loop;
}

static bool is_point(const int64_t *values, unsigned depth, unsigned at)
{
  return at < count && memcmp(points[at], values, depth * sizeof *values) == 0;
}

static void check(const struct nest_loop *loops, unsigned depth, unsigned parts, bool block)
{
  unsigned at = 0, lasts = 0;
  for (unsigned p = 0; p < parts; p++) {
    int64_t first[DEEPEST], end[DEEPEST];
    bool last;
    unsigned from = at;
    if (!ghcomp_nest_part(loops, depth, parts, p, first, end, &last)) {
      EXPECT(!last);
      continue;
    }
    if (!EXPECT(is_point(first, depth, at)))
      return;
    while (at < count && !is_point(end, depth, at))
      at++;
    if (!EXPECT(at++ < count))
      return;
    lasts += last;
    EXPECT(last == (at == count));
    if (block)
      EXPECT_NUMBER(at - from, count / parts + (p < count % parts));
  }
  EXPECT_NUMBER(at, count);
  EXPECT_NUMBER(lasts, count != 0);
}

/* Bounds at the ends of unsigned types.  */
static void check_types(void)
{
  int64_t none[1] = {0};
  struct nest_loop loop = {.start = 0, .last = UINT32_MAX, .step = 1, .bits = 32};
  EXPECT_NUMBER((long long)ghcomp_nest_count(&loop, none), (long long)UINT32_MAX + 1);
  loop = (struct nest_loop){.start = -1, .last = 5, .step = -5, .bits = 64}; /* from 2^64 - 1 down */
  EXPECT_NUMBER((long long)ghcomp_nest_count(&loop, none), (long long)((UINT64_MAX - 5) / 5 + 1));
  loop = (struct nest_loop){.start = INT32_MIN, .last = INT32_MAX, .step = 3, .bits = 32, .is_signed = true};
  EXPECT_NUMBER((long long)ghcomp_nest_count(&loop, none), (long long)(UINT32_MAX / 3 + 1));
  loop = (struct nest_loop){.start = 3, .last = 2, .step = 1, .bits = 32};
  EXPECT_NUMBER((long long)ghcomp_nest_count(&loop, none), 0);
}

int main(void)
{
  srand(1);
  check_types();
  for (unsigned round = 0; round < ROUNDS && expect_failures < 10; round++) {
    struct nest_loop loops[DEEPEST];
    int64_t values[DEEPEST] = {0};
    unsigned depth = 1 + (unsigned)rand() % DEEPEST;
    bool block = rand() % 4 == 0;
    for (unsigned i = 0; i < depth; i++)
      loops[i] = random_loop(i, block);
    count = 0;
    enumerate(loops, depth, 0, values);
    if (EXPECT(count <= MOST))
      check(loops, depth, 1 + (unsigned)rand() % 9, block);
  }
  return expect_result();
}
