/* KMP_AFFINITY: the places that its text means.

     [modifier,...] type [,permute [,offset]]

   The types sort processors by their coordinates (places.h).  compact: by socket, then core, then thread,
   so neighbours get neighbouring threads; permute=n first by the n innermost levels, so with 1 all cores get
   a thread before one gets two.  scatter is compact with the levels in reverse.  balanced is compact whose
   threads are spread over all places.  explicit has a list of its own.  A place is then the group of the
   granularity that a processor is in, and offset says with which the list begins.

   KMP_HIDDEN_HELPER_AFFINITY has the same grammar: see places_helpers.c.  */
#include "places/places.h"

#include "base/memory.h"
#include "base/text.h"
#include "machine/processors.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum type { TYPE_NOT_GIVEN, TYPE_NONE, TYPE_COMPACT, TYPE_SCATTER, TYPE_BALANCED, TYPE_EXPLICIT };
enum { MOST_NUMBERS = 2 };

struct affinity {
  enum type type;
  enum place_level granularity;
  unsigned numbers[MOST_NUMBERS]; /* permute, offset */
  unsigned numbers_given;
  struct kmp_modifiers modifiers;
  struct place_list explicit_places;
};

/* ----------------------------------------------------------------------- the text */

/* Those on the right of the types are older names.  */
static const struct word_value types[] = {
    {"none", TYPE_NONE}, {"disabled", TYPE_NONE}, {"default", TYPE_NONE}, {"compact", TYPE_COMPACT},
    {"logical", TYPE_COMPACT}, {"scatter", TYPE_SCATTER}, {"physical", TYPE_SCATTER},
    {"balanced", TYPE_BALANCED}, {"explicit", TYPE_EXPLICIT}, {NULL, 0}};

enum modifier { MODIFIER_ACCEPTED, MODIFIER_RESET, MODIFIER_NO_RESET, MODIFIER_VERBOSE, MODIFIER_NO_VERBOSE };

/* There is nothing here that most of them change.  */
static const struct word_value modifiers[] = {
    {"verbose", MODIFIER_VERBOSE}, {"noverbose", MODIFIER_NO_VERBOSE}, {"warnings", 0}, {"nowarnings", 0}, {"respect", 0}, {"norespect", 0},
    {"reset", MODIFIER_RESET}, {"noreset", MODIFIER_NO_RESET}, {"duplicates", 0}, {"noduplicates", 0}, {NULL, 0}};

static const struct word_value granularities[] = {
    {"fine", LEVEL_THREADS}, {"thread", LEVEL_THREADS}, {"core", LEVEL_CORES}, {"tile", LEVEL_CORES},
    {"module", LEVEL_CORES}, {"l1_cache", LEVEL_CORES}, {"l1", LEVEL_CORES}, {"l2_cache", LEVEL_CORES},
    {"l2", LEVEL_CORES}, {"l3_cache", LEVEL_CACHES}, {"l3", LEVEL_CACHES}, {"ll_cache", LEVEL_CACHES},
    {"llc", LEVEL_CACHES}, {"die", LEVEL_CACHES}, {"socket", LEVEL_SOCKETS}, {"package", LEVEL_SOCKETS},
    {"node", LEVEL_NODES}, {"numa", LEVEL_NODES}, {"numa_domain", LEVEL_NODES}, {NULL, 0}};

/* first[-last[:stride]], into a place; each processor a place of its own where `list` is not NULL.  */
static bool read_range(const char **p, struct processor_set *place, struct place_list *list)
{
  char *end;
  if (!isdigit((unsigned char)**p))
    return false;
  long first = strtol(*p, &end, 10), last = first, stride = 1;
  if (*end == '-' && isdigit((unsigned char)end[1]))
    last = strtol(end + 1, &end, 10);
  if (*end == ':' && isdigit((unsigned char)end[1]))
    stride = strtol(end + 1, &end, 10);
  *p = end;
  if (last < first || last >= MAX_PROCESSORS || stride < 1)
    return false;
  for (long cpu = first; cpu <= last; cpu += stride) {
    struct processor_set one = {{0}};
    ghcomp_processors_add(list != NULL ? &one : place, cpu);
    if (list != NULL && !ghcomp_place_list_append(list, &one))
      return false;
  }
  return true;
}

/* {range,...}  */
static bool read_set(const char **p, struct place_list *list)
{
  struct processor_set place = {{0}};
  do {
    ++*p; /* the brace or the comma */
    if (!read_range(p, &place, NULL))
      return false;
  } while (**p == ',');
  return *(*p)++ == '}' && ghcomp_place_list_append(list, &place);
}

/* [range or set,...]  */
static bool read_processors(const char **p, struct place_list *list)
{
  if (**p != '[')
    return false;
  do {
    ++*p;
    if (!(**p == '{' ? read_set(p, list) : read_range(p, NULL, list)))
      return false;
  } while (**p == ',');
  return *(*p)++ == ']';
}

/* name=value  */
static bool read_assignment(const char **p, size_t name, struct affinity *a)
{
  const char *value = *p + name + 1;
  if (name == 8 && strncasecmp(*p, "proclist", name) == 0) {
    *p = value;
    return read_processors(p, &a->explicit_places);
  }
  size_t length = strcspn(value, ",");
  int level = ghcomp_parse_word_value(granularities, value, length);
  if (name != 11 || strncasecmp(*p, "granularity", name) != 0 || level < 0)
    return false;
  a->granularity = (enum place_level)level;
  *p = value + length;
  return true;
}

static bool read_modifier(const char *text, size_t length, struct affinity *a)
{
  int modifier = ghcomp_parse_word_value(modifiers, text, length);
  if (modifier == MODIFIER_RESET || modifier == MODIFIER_NO_RESET)
    a->modifiers.resets = modifier == MODIFIER_RESET;
  if (modifier == MODIFIER_VERBOSE || modifier == MODIFIER_NO_VERBOSE)
    a->modifiers.verbose = modifier == MODIFIER_VERBOSE;
  return modifier >= 0;
}

static bool read_item(const char **p, struct affinity *a)
{
  size_t length = strcspn(*p, ",=");
  if ((*p)[length] == '=')
    return read_assignment(p, length, a);
  const char *text = *p;
  *p += length;
  if (length != 0 && strspn(text, "0123456789") == length && length < 6 && a->numbers_given < MOST_NUMBERS) {
    a->numbers[a->numbers_given++] = (unsigned)strtoul(text, NULL, 10);
    return true;
  }
  int type = ghcomp_parse_word_value(types, text, length);
  if (type < 0)
    return read_modifier(text, length, a);
  bool first = a->type == TYPE_NOT_GIVEN;
  a->type = (enum type)type;
  return first;
}

static bool read_text(const char *p, struct affinity *a)
{
  bool more = read_item(&p, a);
  while (more && *p == ',') {
    p++;
    more = read_item(&p, a);
  }
  return more && *p == '\0' && (a->type == TYPE_EXPLICIT) == (a->explicit_places.count != 0);
}

/* ---------------------------------------------------------------------- the places */

/* The first `innermost` comparisons are by levels from inside.  */
static int compare(const struct placed_processor *x, const struct placed_processor *y, unsigned innermost)
{
  for (unsigned i = 0; i < COORDINATES; i++) {
    unsigned level = i < innermost ? COORDINATES - 1 - i : i - innermost;
    if (x->at[level] != y->at[level])
      return x->at[level] < y->at[level] ? -1 : 1;
  }
  return 0;
}

/* Insertion, which needs no state beside the arguments: lists are short, and mostly in order.  */
void ghcomp_places_sort(struct placed_processor *processors, unsigned count, unsigned innermost)
{
  for (unsigned i = 1; i < count; i++) {
    struct placed_processor one = processors[i];
    unsigned j = i;
    for (; j > 0 && compare(&processors[j - 1], &one, innermost) > 0; j--)
      processors[j] = processors[j - 1];
    processors[j] = one;
  }
}

static bool is_in(const struct place_list *list, const struct processor_set *place)
{
  for (unsigned i = 0; i < list->count; i++)
    if (ghcomp_processors_equal(&list->places[i], place))
      return true;
  return false;
}

/* The group of each processor, once, in the order of the processors.  */
static void group(const char *root, const struct placed_processor *processors, unsigned count, enum place_level level,
                  const struct processor_set *allowed, struct place_list *list)
{
  struct place_list groups;
  ghcomp_places_topology_group(root, level, MOST_PLACES, allowed, &groups);
  for (unsigned i = 0; i < count; i++) {
    const struct processor_set *place = &groups.places[ghcomp_places_index_of(&groups, processors[i].cpu)];
    if (!is_in(list, place))
      ghcomp_place_list_append(list, place);
  }
  ghcomp_place_list_free(&groups);
}

static void rotate(struct place_list *list, unsigned by)
{
  struct place_list turned = {NULL, 0};
  for (unsigned i = 0; i < list->count; i++)
    ghcomp_place_list_append(&turned, &list->places[(i + by) % list->count]);
  ghcomp_place_list_free(list);
  *list = turned;
}

static void sorted_places(const char *root, const struct affinity *a, const struct processor_set *allowed,
                          struct place_list *list)
{
  struct placed_processor *processors = ghcomp_memory_get(ghcomp_processors_count(allowed) * sizeof *processors);
  unsigned count = ghcomp_places_coordinates(root, allowed, processors);
  unsigned permute = a->numbers[0] < COORDINATES ? a->numbers[0] : COORDINATES - 1;
  ghcomp_places_sort(processors, count, a->type == TYPE_SCATTER ? COORDINATES - 1 - permute : permute);
  group(root, processors, count, a->granularity, allowed, list);
  ghcomp_memory_release(processors);
  rotate(list, a->numbers[1]);
}

/* Sockets have cores, whatever caches these share, and cores have threads.  */
static unsigned levels_inside(enum place_level granularity)
{
  return granularity == LEVEL_THREADS ? 0 : granularity == LEVEL_CORES ? 1 : 2;
}

static struct kmp_modifiers modifiers_of(const struct affinity *a)
{
  struct kmp_modifiers modifiers = a->modifiers;
  modifiers.levels_inside = levels_inside(a->granularity);
  return modifiers;
}

struct kmp_modifiers ghcomp_places_kmp_modifiers(const char *text)
{
  struct affinity a = {.granularity = LEVEL_CORES};
  bool read = read_text(text, &a);
  ghcomp_place_list_free(&a.explicit_places);
  return read ? modifiers_of(&a) : (struct kmp_modifiers){0};
}

int ghcomp_places_parse_kmp(const char *root, const char *text, const struct processor_set *allowed, struct place_list *list,
                            struct kmp_modifiers *modifiers)
{
  struct affinity a = {.granularity = LEVEL_CORES};
  *list = (struct place_list){NULL, 0};
  if (!read_text(text, &a)) {
    ghcomp_place_list_free(&a.explicit_places);
    return -1;
  }
  *modifiers = modifiers_of(&a);
  if (a.type == TYPE_EXPLICIT)
    *list = a.explicit_places;
  else if (a.type > TYPE_NONE)
    sorted_places(root, &a, allowed, list);
  return list->count == 0 ? BIND_FALSE : a.type == TYPE_BALANCED ? BIND_SPREAD : BIND_CLOSE;
}

int ghcomp_places_read_kmp(const char *text)
{
  struct processor_set allowed = ghcomp_places_allowed();
  struct place_list list;
  struct kmp_modifiers modifiers = {0};
  int bind = ghcomp_places_parse_kmp(SYSTEM_DEVICES, text, &allowed, &list, &modifiers);
  if (bind <= BIND_FALSE)
    return bind;
  if (!ghcomp_places_use("KMP_AFFINITY", text, &list, "no binding"))
    return BIND_FALSE;
  if (modifiers.resets)
    ghcomp_places_reset_to(&allowed);
  return bind;
}
