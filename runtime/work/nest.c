/* The iterations of a nest stand in a block as long in each dimension as the loop ever is; a place of the block is
   told by how many iterations of each loop come before it.  A part is a range of places, so parts are
   disjoint and cover the nest, whichever places have no iteration.  */
#include "work/nest.h"

#include "base/message.h"
#include "work/static.h"

typedef unsigned __int128 wide;

static int64_t wrapped(const struct nest_loop *loop, uint64_t value)
{
  if (loop->bits == 64)
    return (int64_t)value;
  return loop->is_signed ? (int32_t)value : (int64_t)(uint32_t)value;
}

static int64_t start_of(const struct nest_loop *loop, const int64_t *values)
{
  return wrapped(loop, (uint64_t)loop->start + (uint64_t)loop->start_slope * (uint64_t)values[loop->outer]);
}

static int64_t last_of(const struct nest_loop *loop, const int64_t *values)
{
  return wrapped(loop, (uint64_t)loop->last + (uint64_t)loop->last_slope * (uint64_t)values[loop->outer]);
}

static bool is_before(const struct nest_loop *loop, int64_t a, int64_t b)
{
  return loop->is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

uint64_t ghcomp_nest_count(const struct nest_loop *loop, const int64_t *values)
{
  int64_t from = start_of(loop, values), to = last_of(loop, values);
  if (loop->step > 0 ? is_before(loop, to, from) : is_before(loop, from, to))
    return 0;
  uint64_t distance = loop->step > 0 ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
  return distance / (loop->step > 0 ? (uint64_t)loop->step : 0 - (uint64_t)loop->step) + 1;
}

static int64_t value_at(const struct nest_loop *loop, const int64_t *values, uint64_t place)
{
  return wrapped(loop, (uint64_t)start_of(loop, values) + place * (uint64_t)loop->step);
}

/* A loop is as long as ever at one of the ends of the loop that it depends on, because its bounds are linear in
   that one's values.  `ends`: two of each loop before it, which enclose its values; `own`: the same of this one.  */
static uint64_t longest(const struct nest_loop *loop, int64_t (*ends)[2], int64_t *own)
{
  uint64_t most = 0;
  for (int i = 0; i < 2; i++) {
    int64_t values[NEST_DEEPEST];
    values[loop->outer] = ends[loop->outer][i];
    uint64_t count = ghcomp_nest_count(loop, values);
    most = count > most ? count : most;
    int64_t from = start_of(loop, values), to = last_of(loop, values);
    int64_t low = is_before(loop, from, to) ? from : to, high = is_before(loop, from, to) ? to : from;
    if (i == 0 || is_before(loop, low, own[0]))
      own[0] = low;
    if (i == 0 || is_before(loop, own[1], high))
      own[1] = high;
  }
  return most;
}

/* How long the block is in each dimension; returns the number of places.  */
static uint64_t make_block(const struct nest_loop *loops, unsigned depth, uint64_t *lengths)
{
  int64_t ends[NEST_DEEPEST][2] = {{0, 0}};
  uint64_t all = 1;
  for (unsigned i = 0; i < depth; i++) {
    lengths[i] = longest(&loops[i], ends, ends[i]);
    if (__builtin_mul_overflow(all, lengths[i], &all))
      ghcomp_message_fatal("%u collapsed loops have more iterations than 64 bits can count, so the program ends here",
                           depth);
  }
  return all;
}

static void to_place(uint64_t rank, unsigned depth, const uint64_t *lengths, uint64_t *place)
{
  for (unsigned i = depth; i-- > 0; rank /= lengths[i])
    place[i] = rank % lengths[i];
}

/* From `place` on, forward, the first with an iteration, whose values are stored.  */
static bool find_forward(const struct nest_loop *loops, unsigned depth, uint64_t *place, int64_t *values)
{
  for (unsigned i = 0; i < depth;) {
    if (place[i] < ghcomp_nest_count(&loops[i], values)) {
      values[i] = value_at(&loops[i], values, place[i]);
      i++;
      continue;
    }
    if (i == 0)
      return false;
    for (unsigned j = i; j < depth; j++)
      place[j] = 0;
    place[--i]++;
  }
  return true;
}

/* The same, backward.  */
static bool find_backward(const struct nest_loop *loops, unsigned depth, const uint64_t *lengths, uint64_t *place,
                          int64_t *values)
{
  for (unsigned i = 0; i < depth;) {
    uint64_t count = ghcomp_nest_count(&loops[i], values);
    if (count != 0) {
      if (place[i] >= count) {
        place[i] = count - 1;
        for (unsigned j = i + 1; j < depth; j++)
          place[j] = lengths[j] - 1;
      }
      values[i] = value_at(&loops[i], values, place[i]);
      i++;
      continue;
    }
    do
      if (i-- == 0)
        return false;
    while (place[i] == 0);
    place[i]--;
    for (unsigned j = i + 1; j < depth; j++)
      place[j] = lengths[j] - 1;
  }
  return true;
}

bool ghcomp_nest_part(const struct nest_loop *loops, unsigned depth, unsigned parts, unsigned number, int64_t *first,
                      int64_t *end, bool *last)
{
  uint64_t lengths[NEST_DEEPEST], place[NEST_DEEPEST], all = make_block(loops, depth, lengths);
  *last = false;
  struct part part = ghcomp_static_even(all, parts, number);
  if (part.count == 0)
    return false;
  int64_t values[NEST_DEEPEST] = {0}, after[NEST_DEEPEST] = {0};
  to_place(part.first, depth, lengths, place);
  if (!find_forward(loops, depth, place, values))
    return false;
  wide rank = 0;
  for (unsigned i = 0; i < depth; i++)
    rank = rank * lengths[i] + place[i];
  if (rank >= (wide)part.first + part.count)
    return false;
  for (unsigned i = 0; i < depth; i++)
    first[i] = values[i];
  to_place(part.first + (part.count - 1), depth, lengths, place);
  find_backward(loops, depth, lengths, place, values); /* finds the first one, if no other */
  for (unsigned i = 0; i < depth; i++)
    end[i] = values[i];
  if (part.has_last) {
    *last = true;
  } else {
    to_place(part.first + part.count, depth, lengths, place);
    *last = !find_forward(loops, depth, place, after);
  }
  return true;
}
