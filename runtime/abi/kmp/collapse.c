/* Collapsed loops whose bounds the compiler leaves to the runtime (Intel's; clang's and flang's compute them in
   line).  Spec: 5.2, 4.4, 11.5.  */
#include "abi/kmp/kmp.h"
#include "base/message.h"
#include "work/nest.h"

ENTRY_POINTS(kmp_collapse);

enum { UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 };
enum { AT_MOST, AT_LEAST, NOT_EQUAL, LESS, GREATER };

/* One loop of the nest: its variable goes from lower0 + lower1 * the outer one's to upper0 + upper1 * it.  The type of
   the bounds has 32 or 64 bits, that of the variable may have fewer.  */
struct kmp_bounds {
  int32_t type, variable_type, comparison, outer;
  uint64_t lower0, lower1, upper0, upper1;
  int64_t step;
  uint64_t count;
};
_Static_assert(sizeof(struct kmp_bounds) == 64, "bounds_info_t");

static int64_t extend(int32_t type, uint64_t value)
{
  switch (type) {
  case UINT8: return (uint8_t)value;
  case INT8: return (int8_t)value;
  case UINT16: return (uint16_t)value;
  case INT16: return (int16_t)value;
  case UINT32: return (uint32_t)value;
  case INT32: return (int32_t)value;
  default: return (int64_t)value;
  }
}

static bool is_wide(int32_t type)
{
  return type == UINT64 || type == INT64;
}

/* Only <= and >= from here on: the compiled code counts on it.  */
static void make_inclusive(struct kmp_bounds *b)
{
  bool up = b->step > 0;
  if (b->comparison == AT_MOST || b->comparison == AT_LEAST)
    return;
  b->upper0 += up ? UINT64_MAX : 1;
  if (!is_wide(b->type))
    b->upper0 = (uint32_t)b->upper0;
  b->comparison = up ? AT_MOST : AT_LEAST;
}

static struct nest_loop loop_of(const struct kmp_bounds *b)
{
  int32_t slopes = is_wide(b->type) ? INT64 : INT32;
  return (struct nest_loop){.start = extend(b->type, b->lower0), .start_slope = extend(slopes, b->lower1),
                            .last = extend(b->type, b->upper0), .last_slope = extend(slopes, b->upper1),
                            .step = is_wide(b->type) ? b->step : (int32_t)b->step,
                            .outer = (unsigned)b->outer, .bits = is_wide(b->type) ? 64 : 32,
                            .is_signed = b->type == INT32 || b->type == INT64};
}

static void make_nest(struct kmp_bounds *bounds, int32_t depth, struct nest_loop *loops)
{
  if (depth > NEST_DEEPEST)
    ghcomp_message_fatal("%d loops are collapsed; at most %d can be, so the program ends here", depth, NEST_DEEPEST);
  for (int32_t i = 0; i < depth; i++) {
    make_inclusive(&bounds[i]);
    loops[i] = loop_of(&bounds[i]);
  }
}

/* A nest of fixed bounds: how often it is executed.  */
EXPORT uint64_t __kmpc_process_loop_nest_rectang(struct kmp_ident *where, int32_t gtid, struct kmp_bounds *bounds,
                                                 int32_t depth)
{
  (void)where, (void)gtid;
  struct nest_loop loops[NEST_DEEPEST];
  int64_t none[NEST_DEEPEST] = {0};
  uint64_t all = 1;
  make_nest(bounds, depth, loops);
  for (int32_t i = 0; i < depth; i++) {
    bounds[i].count = ghcomp_nest_count(&loops[i], none);
    all *= bounds[i].count;
  }
  return all;
}

/* The values of the variables in one of these iterations.  */
EXPORT void __kmpc_calc_original_ivs_rectang(struct kmp_ident *where, uint64_t iteration, const struct kmp_bounds *bounds,
                                             uint64_t *values, int32_t depth)
{
  (void)where;
  for (int32_t i = depth; i-- > 0; iteration /= bounds[i].count)
    values[i] = (uint64_t)extend(bounds[i].variable_type,
                                 bounds[i].lower0 + iteration % bounds[i].count * (uint64_t)bounds[i].step);
}

/* The member's part of any nest, without chunks: its first and last iteration, in lower0 and upper0 of `part`.  */
EXPORT int32_t __kmpc_for_collapsed_init(struct kmp_ident *where, int32_t gtid, struct kmp_bounds *bounds,
                                         struct kmp_bounds *part, int32_t depth, int32_t *last)
{
  (void)where, (void)gtid;
  const struct member *member = ghcomp_self()->member;
  struct nest_loop loops[NEST_DEEPEST];
  int64_t first[NEST_DEEPEST], end[NEST_DEEPEST];
  bool has_last;
  make_nest(bounds, depth, loops);
  bool has = ghcomp_nest_part(loops, (unsigned)depth, member->team->size, member->number, first, end, &has_last);
  if (last != NULL)
    *last = has && has_last;
  for (int32_t i = 0; has && i < depth; i++) {
    part[i] = bounds[i];
    part[i].lower0 = (uint64_t)extend(bounds[i].variable_type, (uint64_t)first[i]);
    part[i].upper0 = (uint64_t)extend(bounds[i].variable_type, (uint64_t)end[i]);
    part[i].lower1 = part[i].upper1 = 0;
  }
  return has;
}
