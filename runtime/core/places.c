/* Places: reading the list, binding to it, and who goes where.  */
#include "core/places.h"

#include "base/message.h"
#include "core/env_parse.h"
#include "core/icv.h"
#include "core/memory.h"

#include <ctype.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_CPUS 4096
#define SET_SIZE CPU_ALLOC_SIZE(MAX_CPUS)
#define MOST_PLACES 4096

struct place {
  unsigned long bits[MAX_CPUS / (8 * sizeof(unsigned long))];
};

struct places ghcomp_places;

static cpu_set_t *set_of(struct place *place)
{
  return (cpu_set_t *)place->bits;
}

static bool has(const struct place *place, int cpu)
{
  return CPU_ISSET_S(cpu, SET_SIZE, set_of((struct place *)place));
}

static bool add(struct place *place, long cpu)
{
  if (cpu < 0 || cpu >= MAX_CPUS)
    return false;
  CPU_SET_S(cpu, SET_SIZE, set_of(place));
  return true;
}

static unsigned size_of(const struct place *place)
{
  return (unsigned)CPU_COUNT_S(SET_SIZE, set_of((struct place *)place));
}

/* The processors that the process started with.  */
static const struct place *allowed(void)
{
  static struct place mask;
  static bool known;
  if (!known) {
    if (sched_getaffinity(0, SET_SIZE, set_of(&mask)) != 0)
      add(&mask, 0);
    known = true;
  }
  return &mask;
}

/* ------------------------------------------------------------------- collecting */

struct list {
  struct place *places;
  unsigned count;
};

static bool append(struct list *list, const struct place *place)
{
  if (list->count == MOST_PLACES)
    return false;
  if ((list->count & (list->count - 1)) == 0) {
    struct place *more =
        ghcomp_memory_get((list->count == 0 ? 1 : 2 * list->count) * sizeof *more);
    if (list->count != 0)
      memcpy(more, list->places, list->count * sizeof *more);
    ghcomp_memory_release(list->places);
    list->places = more;
  }
  list->places[list->count++] = *place;
  return true;
}

static bool same(const struct place *a, const struct place *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

static void remove_equal(struct list *list, const struct place *place)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < list->count; i++)
    if (!same(&list->places[i], place))
      list->places[kept++] = list->places[i];
  list->count = kept;
}

static struct place restrict_to_allowed(const struct place *place)
{
  struct place result = *place;
  CPU_AND_S(SET_SIZE, set_of(&result), set_of(&result), set_of((struct place *)allowed()));
  return result;
}

/* --------------------------------------------------------------- explicit places */

static const char *blanks(const char *p)
{
  while (isspace((unsigned char)*p))
    p++;
  return p;
}

static bool number(const char **p, bool may_be_negative, long *out)
{
  const char *q = blanks(*p);
  char *end;
  if (!isdigit((unsigned char)*q) &&
      !(may_be_negative && (*q == '-' || *q == '+') && isdigit((unsigned char)q[1])))
    return false;
  *out = strtol(q, &end, 10);
  *p = blanks(end);
  return *out > -1000000 && *out < 1000000;
}

/* ":length" and then perhaps ":stride".  */
static bool length_and_stride(const char **p, long *length, long *stride)
{
  *length = *stride = 1;
  if (**p != ':')
    return true;
  ++*p;
  if (!number(p, false, length) || *length < 1)
    return false;
  if (**p != ':')
    return true;
  ++*p;
  return number(p, true, stride);
}

/* One resource of a place: n, n:length, n:length:stride, or !n.  */
static bool resource(const char **p, struct place *place)
{
  long first, length, stride;
  bool excluded = **p == '!';
  if (excluded)
    ++*p;
  if (!number(p, false, &first) || !length_and_stride(p, &length, &stride))
    return false;
  for (long i = 0; i < length; i++) {
    long cpu = first + i * stride;
    if (cpu < 0 || cpu >= MAX_CPUS)
      return false;
    if (excluded)
      CPU_CLR_S(cpu, SET_SIZE, set_of(place));
    else
      add(place, cpu);
  }
  return true;
}

/* A bare number or {resources}.  */
static bool one_place(const char **p, struct place *place)
{
  memset(place, 0, sizeof *place);
  *p = blanks(*p);
  if (**p != '{') {
    long cpu;
    return number(p, false, &cpu) && add(place, cpu);
  }
  do {
    *p = blanks(*p + 1);
    if (!resource(p, place))
      return false;
    *p = blanks(*p);
  } while (**p == ',');
  if (**p != '}' || size_of(place) == 0)
    return false;
  *p = blanks(*p + 1);
  return true;
}

static bool shifted(const struct place *place, long by, struct place *result)
{
  memset(result, 0, sizeof *result);
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    if (has(place, cpu) && !add(result, cpu + by))
      return false;
  return true;
}

/* place, place:length, place:length:stride, or any of them after '!'.  */
static bool interval(const char **p, struct list *list)
{
  struct place place, next;
  long length, stride;
  *p = blanks(*p);
  bool excluded = **p == '!';
  if (excluded)
    ++*p;
  if (!one_place(p, &place) || !length_and_stride(p, &length, &stride))
    return false;
  for (long i = 0; i < length && i < MOST_PLACES; i++) {
    if (!shifted(&place, i * stride, &next))
      return false;
    struct place usable = restrict_to_allowed(&next);
    if (excluded)
      remove_equal(list, &usable);
    else if (size_of(&usable) != 0 && !append(list, &usable))
      return false;
  }
  return true;
}

static bool explicit_list(const char *text, struct list *list)
{
  for (;;) {
    if (!interval(&text, list))
      return false;
    if (*text == '\0')
      return list->count != 0;
    if (*text++ != ',')
      return false;
  }
}

/* --------------------------------------------------------------- abstract names */

/* A kernel CPU list, "0-3,8".  */
static bool read_cpu_list(const char *path, struct place *place)
{
  char text[4096];
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return false;
  bool ok = fgets(text, sizeof text, file) != NULL;
  fclose(file);
  memset(place, 0, sizeof *place);
  for (const char *p = text; ok && *p != '\0' && *p != '\n'; p += *p == ',') {
    char *end;
    long first = strtol(p, &end, 10), last = first;
    if (end == p)
      return false;
    if (*end == '-')
      last = strtol(end + 1, &end, 10);
    for (long cpu = first; cpu <= last; cpu++)
      if (!add(place, cpu))
        return false;
    p = end;
  }
  return ok && size_of(place) != 0;
}

/* The processors that share the level with cpu; itself where the kernel does
   not tell (a machine without the file has one thread per core).  */
static struct place neighbours(const char *format, int cpu)
{
  char path[128];
  struct place place;
  snprintf(path, sizeof path, format, cpu);
  if (!read_cpu_list(path, &place) || !has(&place, cpu)) {
    memset(&place, 0, sizeof place);
    add(&place, cpu);
  }
  return restrict_to_allowed(&place);
}

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%d/"

static void group_by(const char *format, unsigned most, struct list *list)
{
  struct place done = {{0}};
  for (int cpu = 0; cpu < MAX_CPUS && list->count < most; cpu++) {
    if (!has(allowed(), cpu) || has(&done, cpu))
      continue;
    struct place place = neighbours(format, cpu);
    CPU_OR_S(SET_SIZE, set_of(&done), set_of(&done), set_of(&place));
    append(list, &place);
  }
}

static void group_by_node(unsigned most, struct list *list)
{
  struct place place;
  char path[96];
  for (int node = 0; node < 1024 && list->count < most; node++) {
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
    if (!read_cpu_list(path, &place))
      continue;
    place = restrict_to_allowed(&place);
    if (size_of(&place) != 0)
      append(list, &place);
  }
  if (list->count == 0)
    append(list, allowed());
}

/* threads, cores, ll_caches, sockets, numa_domains; perhaps (n).  */
static bool abstract_list(const char *text, struct list *list)
{
  static const char *const names[] = {"threads", "cores", "ll_caches", "sockets", "numa_domains",
                                      NULL};
  static const char *const formats[] = {
      "/dev/null/%d", CPU_FOLDER "topology/thread_siblings_list",
      CPU_FOLDER "cache/index3/shared_cpu_list", CPU_FOLDER "topology/core_siblings_list"};
  char word[32];
  unsigned which;
  unsigned long long most = MOST_PLACES;
  const char *open = strchr(text, '(');
  size_t length = open != NULL ? (size_t)(open - text) : strlen(text);
  if (length >= sizeof word)
    return false;
  memcpy(word, text, length);
  word[length] = '\0';
  if (!ghcomp_env_parse_word(word, names, &which))
    return false;
  if (open != NULL) {
    const char *close = strchr(open, ')');
    char count[16];
    if (close == NULL || *blanks(close + 1) != '\0' || close - open > (long)sizeof count)
      return false;
    snprintf(count, sizeof count, "%.*s", (int)(close - open - 1), open + 1);
    if (!ghcomp_env_parse_number(count, 1, MOST_PLACES, &most))
      return false;
  }
  if (which == 4)
    group_by_node((unsigned)most, list);
  else
    group_by(formats[which], (unsigned)most, list);
  return list->count != 0;
}

/* ---------------------------------------------------------- GOMP_CPU_AFFINITY */

/* "0 3-5 7-15:2", blanks or commas between: a place for each processor.  */
static bool cpu_affinity_list(const char *text, struct list *list)
{
  for (text = blanks(text); *text != '\0'; text = blanks(text + (*text == ','))) {
    long first, last, stride = 1;
    if (!number(&text, false, &first))
      return false;
    last = first;
    if (*text == '-') {
      text++;
      if (!number(&text, false, &last) || last < first)
        return false;
      if (*text == ':') {
        text++;
        if (!number(&text, false, &stride) || stride < 1)
          return false;
      }
    }
    for (long cpu = first; cpu <= last; cpu += stride) {
      struct place place = {{0}};
      if (!add(&place, cpu))
        return false;
      if (has(allowed(), (int)cpu) && !append(list, &place))
        return false;
    }
  }
  return list->count != 0;
}

static void use(const struct list *list)
{
  ghcomp_places.list = list->places;
  ghcomp_places.count = list->count;
}

bool ghcomp_places_read(const char *omp_places, const char *gomp_cpu_affinity)
{
  struct list list = {NULL, 0};
  if (omp_places != NULL) {
    if (abstract_list(omp_places, &list) || explicit_list(omp_places, &list)) {
      use(&list);
      return true;
    }
    ghcomp_message_say("OMP_PLACES=%.200s: expected threads, cores, ll_caches, sockets, "
                       "numa_domains or a list of places on processors that this process may "
                       "use; no places are used", omp_places);
    ghcomp_memory_release(list.places);
    list = (struct list){NULL, 0};
  }
  if (gomp_cpu_affinity == NULL)
    return false;
  if (cpu_affinity_list(gomp_cpu_affinity, &list)) {
    use(&list);
    return true;
  }
  ghcomp_message_say("GOMP_CPU_AFFINITY=%.200s: expected numbers and ranges (first-last:stride) of "
                     "processors that this process may use; no binding is used", gomp_cpu_affinity);
  ghcomp_memory_release(list.places);
  return false;
}

void ghcomp_places_default(void)
{
  struct list list = {NULL, 0};
  abstract_list("threads", &list);
  use(&list);
}

/* -------------------------------------------------------------------- questions */

/* "{0:2,5}": runs of three and more as first:length.  */
static size_t print_place(char *out, size_t size, const struct place *place)
{
  size_t used = 0;
  const char *separator = "{";
  for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
    int length = 0;
    while (cpu + length < MAX_CPUS && has(place, cpu + length))
      length++;
    if (length == 0)
      continue;
    int n = length > 1 ? snprintf(out + used, used < size ? size - used : 0, "%s%d:%d", separator, cpu, length)
                       : snprintf(out + used, used < size ? size - used : 0, "%s%d", separator, cpu);
    used += (size_t)n;
    separator = ",";
    cpu += length - 1;
  }
  used += (size_t)snprintf(out + used, used < size ? size - used : 0, "}");
  return used;
}

size_t ghcomp_places_print(char *buffer, size_t size)
{
  size_t used = 0;
  if (size != 0)
    buffer[0] = '\0';
  for (unsigned i = 0; i < ghcomp_places.count && used + 16 < size; i++) {
    if (i != 0)
      used += (size_t)snprintf(buffer + used, size - used, ",");
    used += print_place(buffer + used, size - used, &ghcomp_places.list[i]);
    if (used >= size)
      used = size - 1;
  }
  return used;
}

unsigned ghcomp_places_processors(unsigned place)
{
  return place < ghcomp_places.count ? size_of(&ghcomp_places.list[place]) : 0;
}

void ghcomp_places_processor_ids(unsigned place, int *ids)
{
  if (place >= ghcomp_places.count)
    return;
  for (int cpu = 0; cpu < MAX_CPUS; cpu++)
    if (has(&ghcomp_places.list[place], cpu))
      *ids++ = cpu;
}

void ghcomp_places_bind_self(unsigned place)
{
  if (place < ghcomp_places.count)
    sched_setaffinity(0, SET_SIZE, set_of(&ghcomp_places.list[place]));
}

/* -------------------------------------------------------------------- assignment */

/* Member i of n, in groups as even as possible, the first ones larger.  */
static unsigned group_of(unsigned i, unsigned n, unsigned groups)
{
  unsigned small = n / groups, large_groups = n % groups;
  unsigned in_large = large_groups * (small + 1);
  return i < in_large ? i / (small + 1) : large_groups + (i - in_large) / small;
}

/* The first place of part i when `length` places are cut into `parts`.  */
static unsigned part_start(unsigned i, unsigned length, unsigned parts)
{
  unsigned rest = length % parts;
  return i * (length / parts) + (i < rest ? i : rest);
}

void ghcomp_places_assign(int policy, unsigned threads, unsigned i, struct partition parent,
                          unsigned parent_place, unsigned *place, struct partition *partition)
{
  unsigned length = parent.length != 0 ? parent.length : 1;
  unsigned offset = parent_place - parent.first;
  *partition = parent;
  if (policy == BIND_PRIMARY) {
    *place = parent_place;
  } else if (policy != BIND_SPREAD) {
    unsigned step = threads <= length ? i : group_of(i, threads, length);
    *place = parent.first + (offset + step) % length;
  } else if (threads <= length) {
    /* The part with the parent's place is the master's; the others follow.  */
    unsigned mine = 0;
    while (mine + 1 < threads && part_start(mine + 1, length, threads) <= offset)
      mine++;
    unsigned part = (mine + i) % threads;
    unsigned start = part_start(part, length, threads);
    partition->first = parent.first + start;
    partition->length = part_start(part + 1, length, threads) - start;
    *place = i == 0 ? parent_place : partition->first;
  } else {
    *place = parent.first + (offset + group_of(i, threads, length)) % length;
    partition->first = *place;
    partition->length = 1;
  }
}
