/* The texts of OMP_PLACES (explicit lists; abstract names are in
   places_topology.c) and GOMP_CPU_AFFINITY.

   Spec: 5.2, 21.1.6:
     list        interval {, interval}
     interval    place [: length [: stride]] | ! place
     place       { resources } | number
     resources   resource {, resource}
     resource    number [: length [: stride]] | ! number  */
#include "places/places.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *blanks(const char *p)
{
  while (isspace((unsigned char)*p))
    p++;
  return p;
}

/* A number that is small enough that sums and products of two cannot overflow.  Steps over blanks
   around it.  */
static bool number(const char **p, bool may_have_sign, long *out)
{
  const char *q = blanks(*p);
  const char *first = may_have_sign && (*q == '-' || *q == '+') ? q + 1 : q;
  char *end;
  if (!isdigit((unsigned char)*first))
    return false;
  *out = strtol(q, &end, 10);
  *p = blanks(end);
  return *out >= -MAX_PROCESSORS && *out <= MAX_PROCESSORS;
}

/* Steps over the character c and the blanks after it.  */
static bool step_over(const char **p, char c)
{
  if (**p != c)
    return false;
  *p = blanks(*p + 1);
  return true;
}

/* [: length [: stride]]  */
static bool length_and_stride(const char **p, long *length, long *stride)
{
  *length = *stride = 1;
  if (!step_over(p, ':'))
    return true;
  if (!number(p, false, length) || *length < 1)
    return false;
  return !step_over(p, ':') || number(p, true, stride);
}

static bool resource(const char **p, struct processor_set *place)
{
  long first, length, stride;
  if (step_over(p, '!')) {
    if (!number(p, false, &first) || first >= MAX_PROCESSORS || !ghcomp_processors_has(place, (int)first))
      return false;
    ghcomp_processors_remove(place, (int)first);
    return true;
  }
  if (!number(p, false, &first) || !length_and_stride(p, &length, &stride))
    return false;
  for (long i = 0; i < length; i++)
    if (!ghcomp_processors_add(place, first + i * stride))
      return false;
  return true;
}

static bool one_place(const char **p, struct processor_set *place)
{
  long cpu;
  memset(place, 0, sizeof *place);
  if (!step_over(p, '{'))
    return number(p, false, &cpu) && ghcomp_processors_add(place, cpu);
  do {
    if (!resource(p, place))
      return false;
  } while (step_over(p, ','));
  return step_over(p, '}') && ghcomp_processors_next(place, 0) >= 0;
}

/* The place with `by` added to the number of each processor.  False: a number is out of range.  */
static bool shifted(const struct processor_set *place, long by, struct processor_set *result)
{
  memset(result, 0, sizeof *result);
  for (int cpu = ghcomp_processors_next(place, 0); cpu >= 0; cpu = ghcomp_processors_next(place, cpu + 1))
    if (!ghcomp_processors_add(result, cpu + by))
      return false;
  return true;
}

/* Removes every copy of the place from the list.  False: there is none.  */
static bool remove_place(struct place_list *list, const struct processor_set *place)
{
  unsigned kept = 0, count = list->count;
  for (unsigned i = 0; i < count; i++)
    if (!ghcomp_processors_equal(&list->places[i], place))
      list->places[kept++] = list->places[i];
  if (kept == count)
    return false;
  list->count = kept;
  return true;
}

static bool interval(const char **p, struct place_list *list)
{
  struct processor_set place, next;
  long length, stride;
  if (step_over(p, '!'))
    return one_place(p, &place) && remove_place(list, &place);
  if (!one_place(p, &place) || !length_and_stride(p, &length, &stride))
    return false;
  for (long i = 0; i < length; i++)
    if (!shifted(&place, i * stride, &next) || !ghcomp_place_list_append(list, &next))
      return false;
  return true;
}

static bool intervals(const char *p, struct place_list *list)
{
  p = blanks(p);
  do {
    if (!interval(&p, list))
      return false;
  } while (step_over(&p, ','));
  return *p == '\0' && list->count != 0;
}

/* first[-last[:stride]]: a place for each processor.  */
static bool range(const char **p, struct place_list *list)
{
  long first, last, stride = 1;
  if (!number(p, false, &first))
    return false;
  last = first;
  if (step_over(p, '-') &&
      (!number(p, false, &last) || (step_over(p, ':') && !number(p, false, &stride))))
    return false;
  if (last < first || stride < 1)
    return false;
  for (long cpu = first; cpu <= last; cpu += stride) {
    struct processor_set place = {{0}};
    if (!ghcomp_processors_add(&place, cpu) || !ghcomp_place_list_append(list, &place))
      return false;
  }
  return true;
}

/* Ranges, separated by blanks or commas.  */
static bool ranges(const char *p, struct place_list *list)
{
  p = blanks(p);
  do {
    if (!range(&p, list))
      return false;
  } while (step_over(&p, ',') || *p != '\0');
  return true;
}

bool ghcomp_places_parse_list(const char *text, struct place_list *list)
{
  *list = (struct place_list){NULL, 0};
  bool ok = intervals(text, list);
  if (!ok)
    ghcomp_place_list_free(list);
  return ok;
}

bool ghcomp_places_parse_affinity(const char *text, struct place_list *list)
{
  *list = (struct place_list){NULL, 0};
  bool ok = ranges(text, list);
  if (!ok)
    ghcomp_place_list_free(list);
  return ok;
}
