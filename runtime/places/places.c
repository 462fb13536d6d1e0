/* The place list, which is made once and read often; and which thread gets which place.  */
#include "places/places.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "machine/processors.h"

#include <stdio.h>
#include <string.h>

struct places ghcomp_places;

/* ----------------------------------------------------------------------- lists */

bool ghcomp_place_list_append(struct place_list *list, const struct processor_set *place)
{
  if (list->count == MOST_PLACES)
    return false;
  if ((list->count & (list->count - 1)) == 0) { /* full: capacities are powers of two */
    size_t capacity = list->count == 0 ? 1 : 2 * (size_t)list->count;
    struct processor_set *more = ghcomp_memory_get(capacity * sizeof *more);
    if (list->count != 0)
      memcpy(more, list->places, list->count * sizeof *more);
    ghcomp_memory_release(list->places);
    list->places = more;
  }
  list->places[list->count++] = *place;
  return true;
}

void ghcomp_place_list_free(struct place_list *list)
{
  ghcomp_memory_release(list->places);
  *list = (struct place_list){NULL, 0};
}

/* ----------------------------------------------------------------------- making */

static struct processor_set limit; /* written when the environment is read, before anybody asks */
static bool limited;

void ghcomp_places_limit(const struct processor_set *to)
{
  limit = *to;
  limited = true;
}

/* All processors, if the system does not say which.  */
struct processor_set ghcomp_places_allowed(void)
{
  struct processor_set mask;
  if (!ghcomp_machine_get_mask(&mask))
    for (unsigned i = 0; i < ghcomp_machine_online_processors(); i++)
      ghcomp_processors_add(&mask, (long)i);
  if (limited)
    ghcomp_processors_restrict(&mask, &limit);
  return mask;
}

static void use(const struct place_list *list)
{
  ghcomp_places = (struct places){list->count, list->places};
}

/* Keeps only places with allowed processors.  Returns how many places there were before.  */
static unsigned keep_usable(struct place_list *list, const struct processor_set *allowed)
{
  struct place_list usable = {NULL, 0};
  unsigned count = list->count;
  for (unsigned i = 0; i < count; i++) {
    struct processor_set place = list->places[i];
    ghcomp_processors_restrict(&place, allowed);
    if (ghcomp_processors_next(&place, 0) >= 0)
      ghcomp_place_list_append(&usable, &place);
  }
  ghcomp_place_list_free(list);
  *list = usable;
  return count;
}

/* `allowed`: what this process may use.  */
static bool restrict_to(const struct processor_set *allowed, const char *name, const char *text, struct place_list *list,
                        const char *otherwise)
{
  char shown[GHCOMP_SHOWN_VALUE];
  unsigned count = keep_usable(list, allowed);
  if (list->count == 0) {
    ghcomp_message_say("%s=%s: expected processors that this process may use; %s is used", name,
                       ghcomp_parse_printable(text, shown), otherwise);
    return false;
  }
  if (list->count < count)
    ghcomp_message_say("%s=%s: expected processors that this process may use; of %u places, %u %s "
                       "used", name, ghcomp_parse_printable(text, shown), count, list->count,
                       list->count == 1 ? "is" : "are");
  return true;
}

bool ghcomp_places_restrict(const char *name, const char *text, struct place_list *list, const char *otherwise)
{
  struct processor_set allowed = ghcomp_places_allowed();
  return restrict_to(&allowed, name, text, list, otherwise);
}

bool ghcomp_places_use(const char *name, const char *text, struct place_list *list, const char *otherwise)
{
  if (!ghcomp_places_restrict(name, text, list, otherwise))
    return false;
  use(list);
  return true;
}

/* A place for each of them.  */
static bool use_level(const char *text, enum place_level level, unsigned most, bool like_libgomp, const char *otherwise)
{
  char shown[GHCOMP_SHOWN_VALUE];
  struct place_list list;
  struct processor_set allowed = ghcomp_places_allowed();
  if (like_libgomp && !ghcomp_places_topology_knows(SYSTEM_DEVICES, level, &allowed)) {
    ghcomp_message_say("OMP_PLACES=%s: the system does not say which processors share what (is /sys there?); %s is used",
                       ghcomp_parse_printable(text, shown), otherwise);
    return false;
  }
  ghcomp_places_topology_group(SYSTEM_DEVICES, level, most, &allowed, &list);
  use(&list);
  return true;
}

static bool read_places(const char *text, bool like_libgomp, const char *otherwise)
{
  char shown[GHCOMP_SHOWN_VALUE];
  enum place_level level;
  unsigned most;
  struct place_list list;
  if (ghcomp_places_topology_name(text, &level, &most))
    return use_level(text, level, most, like_libgomp, otherwise);
  if (ghcomp_places_parse_list(text, &list))
    return ghcomp_places_use("OMP_PLACES", text, &list, otherwise);
  ghcomp_message_say("OMP_PLACES=%s: expected threads, cores, ll_caches, sockets or numa_domains, "
                     "perhaps with (number), or places like {0:4},{4:4}; %s is used",
                     ghcomp_parse_printable(text, shown), otherwise);
  return false;
}

/* The processors of all places that the system would give.  */
static struct processor_set obtainable(const struct place_list *list)
{
  struct processor_set wanted = {{0}};
  for (unsigned i = 0; i < list->count; i++)
    ghcomp_processors_unite(&wanted, &list->places[i]);
  return ghcomp_machine_could_have(&wanted) ? wanted : ghcomp_places_allowed();
}

static bool read_affinity(const char *text, bool like_libgomp, const char *otherwise)
{
  char shown[GHCOMP_SHOWN_VALUE];
  struct place_list list;
  if (!ghcomp_places_parse_affinity(text, &list)) {
    ghcomp_message_say("GOMP_CPU_AFFINITY=%s: expected processors and ranges of them, like 0 3-5 "
                       "8-14:2; %s is used", ghcomp_parse_printable(text, shown), otherwise);
    return false;
  }
  struct processor_set may = like_libgomp ? obtainable(&list) : ghcomp_places_allowed();
  if (!restrict_to(&may, "GOMP_CPU_AFFINITY", text, &list, otherwise))
    return false;
  use(&list);
  return true;
}

bool ghcomp_places_read(const char *omp_places, const char *gomp_cpu_affinity, bool like_libgomp,
                        const char *otherwise)
{
  const char *next = gomp_cpu_affinity != NULL ? "GOMP_CPU_AFFINITY" : otherwise;
  if (omp_places != NULL && read_places(omp_places, like_libgomp, next))
    return true;
  return gomp_cpu_affinity != NULL && read_affinity(gomp_cpu_affinity, like_libgomp, otherwise);
}

void ghcomp_places_default(void)
{
  struct place_list list;
  struct processor_set allowed = ghcomp_places_allowed();
  ghcomp_places_topology_group(SYSTEM_DEVICES, LEVEL_THREADS, MOST_PLACES, &allowed, &list);
  use(&list);
}

void ghcomp_places_drop(void)
{
  struct place_list list = {ghcomp_places.list, ghcomp_places.count};
  ghcomp_place_list_free(&list);
  use(&list);
}

/* -------------------------------------------------------------------- questions */

/* As "{0:2,5}": neighbouring processors are printed as first:length.  */
static void print_place(struct text *out, const struct processor_set *place)
{
  const char *separator = "{";
  int cpu = ghcomp_processors_next(place, 0);
  while (cpu >= 0) {
    int end = cpu + 1;
    while (end < MAX_PROCESSORS && ghcomp_processors_has(place, end))
      end++;
    ghcomp_text_print(out, "%s%d", separator, cpu);
    if (end - cpu > 1)
      ghcomp_text_print(out, ":%d", end - cpu);
    separator = ",";
    cpu = ghcomp_processors_next(place, end);
  }
  ghcomp_text_print(out, "}");
}

size_t ghcomp_places_print(char *buffer, size_t size)
{
  struct text out = {buffer, size, 0};
  ghcomp_text_put(&out, "", 0);
  for (unsigned i = 0; i < ghcomp_places.count; i++) {
    if (i != 0)
      ghcomp_text_print(&out, ",");
    print_place(&out, &ghcomp_places.list[i]);
  }
  return out.length;
}

unsigned ghcomp_places_processors(unsigned place)
{
  return place < ghcomp_places.count ? ghcomp_processors_count(&ghcomp_places.list[place]) : 0;
}

void ghcomp_places_processor_ids(unsigned place, int *ids)
{
  if (place >= ghcomp_places.count)
    return;
  const struct processor_set *set = &ghcomp_places.list[place];
  for (int cpu = ghcomp_processors_next(set, 0); cpu >= 0; cpu = ghcomp_processors_next(set, cpu + 1))
    *ids++ = cpu;
}

static struct processor_set outside; /* written when the environment is read */
bool ghcomp_places_only_inside;

void ghcomp_places_reset_to(const struct processor_set *processors)
{
  outside = *processors;
  ghcomp_places_only_inside = true;
}

void ghcomp_places_leave(void)
{
  ghcomp_machine_set_mask(&outside);
}

void ghcomp_places_return(unsigned place)
{
  if (place < ghcomp_places.count)
    ghcomp_machine_return_affinity(&ghcomp_places.list[place]);
}

void ghcomp_places_bind_self(unsigned place, unsigned thread)
{
  if (place >= ghcomp_places.count)
    return;
  ghcomp_machine_set_mask(&ghcomp_places.list[place]);
  if (ghcomp_places_verbose)
    ghcomp_places_say_thread(thread);
}

/* -------------------------------------------------------------------- assignment */

/* For more threads than places: how many places after the parent's place thread i is.  Each place
   has threads / places consecutive threads.  The remaining threads begin again at the parent's
   place, one on each, as in libgomp.  */
static unsigned crowded_step(unsigned i, unsigned threads, unsigned places)
{
  unsigned each = threads / places;
  return i < each * places ? i / each : i - each * places;
}

/* The first place of part i, if `length` places are divided into `parts`, the larger parts
   first.  */
static unsigned part_start(unsigned i, unsigned length, unsigned parts)
{
  unsigned larger = length % parts;
  return i * (length / parts) + (i < larger ? i : larger);
}

/* The part that place `offset` is in.  */
static unsigned part_of(unsigned offset, unsigned length, unsigned parts)
{
  unsigned small = length / parts, larger = length % parts;
  unsigned boundary = larger * (small + 1);
  return offset < boundary ? offset / (small + 1) : larger + (offset - boundary) / small;
}

/* For no more threads than places.  The part with the parent's place belongs to the primary thread,
   which stays on that place.  Each other thread is on the first place of its part.  */
static void assign_part(unsigned threads, unsigned i, struct partition parent, unsigned offset,
                        unsigned *place, struct partition *partition)
{
  unsigned part = (part_of(offset, parent.length, threads) + i) % threads;
  unsigned start = part_start(part, parent.length, threads);
  partition->first = parent.first + start;
  partition->length = part_start(part + 1, parent.length, threads) - start;
  *place = i == 0 ? parent.first + offset : partition->first;
}

void ghcomp_places_assign(int policy, unsigned threads, unsigned i, struct partition parent,
                          unsigned parent_place, unsigned *place, struct partition *partition)
{
  unsigned offset = parent_place - parent.first;
  *partition = parent;
  *place = parent_place;
  if (policy == BIND_PRIMARY || parent.length == 0)
    return;
  if (policy == BIND_SPREAD && threads <= parent.length) {
    assign_part(threads, i, parent, offset, place, partition);
    return;
  }
  unsigned step = threads <= parent.length ? i : crowded_step(i, threads, parent.length);
  *place = parent.first + (offset + step) % parent.length;
  if (policy == BIND_SPREAD)
    *partition = (struct partition){*place, 1};
}
