/* KMP_HW_SUBSET: the processors that its text means.

   [:] count unit [@offset], ...: so many sockets, cores of each, threads of each; all where a unit is not named.
   With the colon a unit that is not named is none: :1s,4t is four threads of a socket, whatever their cores.  */
#include "places/places.h"

#include "base/memory.h"
#include "base/text.h"
#include "machine/processors.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct range_of_level {
  unsigned first, count;
  bool given;
};

static const struct word_value units[] = {{"s", 0}, {"socket", 0}, {"sockets", 0}, {"package", 0}, {"packages", 0},
                                    {"c", 1}, {"core", 1}, {"cores", 1}, {"t", 2}, {"thread", 2}, {"threads", 2},
                                    {NULL, 0}};

static bool read_count(const char **p, unsigned *out)
{
  char *end;
  if (!isdigit((unsigned char)**p))
    return false;
  unsigned long value = strtoul(*p, &end, 10);
  *p = end;
  *out = (unsigned)value;
  return value <= MAX_PROCESSORS;
}

static bool read_unit(const char **p, struct range_of_level ranges[COORDINATES])
{
  struct range_of_level range = {0, UINT_MAX, true};
  if (**p == '*')
    ++*p;
  else if (!read_count(p, &range.count) || range.count == 0)
    return false;
  size_t length = strspn(*p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  int level = ghcomp_parse_word_value(units, *p, length);
  *p += length;
  if (level < 0 || (**p == '@' && (++*p, !read_count(p, &range.first))))
    return false;
  ranges[level] = range;
  return true;
}

static bool read_subset(const char *p, struct range_of_level ranges[COORDINATES])
{
  bool more = read_unit(&p, ranges);
  while (more && *p == ',') {
    p++;
    more = read_unit(&p, ranges);
  }
  return more && *p == '\0';
}

/* From outermost to innermost; 0: the same unit, as far as these levels tell.  */
static int compare_levels(const struct placed_processor *a, const struct placed_processor *b, unsigned from, unsigned end)
{
  for (unsigned level = from; level < end; level++)
    if (a->at[level] != b->at[level])
      return a->at[level] < b->at[level] ? -1 : 1;
  return 0;
}

/* How many units of the level come before the processor's, inside its unit of the levels before `from`.  */
static unsigned index_inside(const struct placed_processor *all, unsigned count, const struct placed_processor *of, unsigned level,
                             unsigned from)
{
  static const struct placed_processor first;
  unsigned index = 0;
  for (unsigned i = 0; i < count; i++)
    index += compare_levels(&all[i], &first, level + 1, COORDINATES) == 0 && /* one of each unit */
             compare_levels(&all[i], of, 0, from) == 0 && compare_levels(&all[i], of, from, level + 1) < 0;
  return index;
}

static bool is_chosen(const struct placed_processor *all, unsigned count, const struct placed_processor *of,
                      const struct range_of_level ranges[COORDINATES], bool named_only)
{
  unsigned from = 0;
  for (unsigned level = 0; level < COORDINATES; level++) {
    if (!ranges[level].given)
      continue;
    unsigned at = named_only ? index_inside(all, count, of, level, from) : of->at[level];
    if (at - ranges[level].first >= ranges[level].count)
      return false;
    from = level + 1;
  }
  return true;
}

bool ghcomp_places_parse_subset(const char *root, const char *text, const struct processor_set *allowed, struct processor_set *subset)
{
  struct range_of_level ranges[COORDINATES] = {{0}};
  bool named_only = text[0] == ':';
  *subset = (struct processor_set){{0}};
  if (!read_subset(text + named_only, ranges))
    return false;
  struct placed_processor *processors = ghcomp_memory_get(ghcomp_processors_count(allowed) * sizeof *processors);
  unsigned count = ghcomp_places_coordinates(root, allowed, processors);
  for (unsigned i = 0; i < count; i++)
    if (is_chosen(processors, count, &processors[i], ranges, named_only))
      ghcomp_processors_add(subset, processors[i].cpu);
  ghcomp_memory_release(processors);
  return ghcomp_processors_next(subset, 0) >= 0;
}
