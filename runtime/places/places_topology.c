/* Abstract place names: which processors share a core, a last-level cache, a
   socket or a memory node.  Reads the kernel's description of the machine; what
   is missing there (a container may hide it) counts as not shared.  */
#include "places/places.h"

#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CACHES = 16, MOST_NODES = 1024, LONGEST_NAME = 64 };

bool ghcomp_places_topology_name(const char *text, enum place_level *level, unsigned *most)
{
  static const char *const names[] = {"threads", "cores", "ll_caches", "sockets", "numa_domains",
                                      NULL};
  char copy[LONGEST_NAME], *count = NULL;
  unsigned which;
  unsigned long long number = MOST_PLACES;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
    return false;
  char *open = strchr(copy, '('), *close = strrchr(copy, ')');
  if (open != NULL && close > open) {
    for (const char *p = close + 1; *p != '\0'; p++)
      if (!isspace((unsigned char)*p))
        return false;
    *open = *close = '\0';
    count = open + 1;
  }
  if (!ghcomp_parse_word(copy, names, &which) ||
      (count != NULL && !ghcomp_parse_number(count, 1, INT_MAX, &number)))
    return false;
  *level = (enum place_level)which;
  *most = number < MOST_PLACES ? (unsigned)number : MOST_PLACES;
  return true;
}

/* ------------------------------------------------------------- the kernel's files */

/* Inserts the processors of "0-3,8".  */
static bool read_ranges(const char *text, struct place *place)
{
  for (const char *p = text; *p != '\0' && *p != '\n'; p += *p == ',') {
    char *end;
    long first = strtol(p, &end, 10), last = first;
    if (end == p)
      return false;
    if (*end == '-')
      last = strtol(end + 1, &end, 10);
    for (long cpu = first; cpu <= last; cpu++)
      if (!ghcomp_place_add(place, cpu))
        return false;
    p = end;
  }
  return true;
}

static bool read_cpu_list(const char *path, struct place *place)
{
  char *line = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "re");
  memset(place, 0, sizeof *place);
  if (file == NULL)
    return false;
  bool ok = getline(&line, &size, file) > 0 && read_ranges(line, place);
  free(line);
  fclose(file);
  return ok;
}

static bool read_sibling_file(const char *root, int cpu, const char *name, struct place *place)
{
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/cpu/cpu%d/%s", root, cpu, name);
  return read_cpu_list(path, place);
}

/* The level of cache `index`; 0: there is none.  */
static int cache_level(const char *root, int cpu, int index)
{
  char path[PATH_MAX];
  int level = 0;
  snprintf(path, sizeof path, "%s/cpu/cpu%d/cache/index%d/level", root, cpu, index);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return 0;
  if (fscanf(file, "%d", &level) != 1)
    level = 0;
  fclose(file);
  return level;
}

static bool read_last_cache(const char *root, int cpu, struct place *place)
{
  char name[64];
  int last = -1, highest = 0;
  for (int i = 0; i < MOST_CACHES; i++) {
    int level = cache_level(root, cpu, i);
    if (level == 0)
      break;
    if (level > highest) {
      highest = level;
      last = i;
    }
  }
  if (last < 0)
    return false;
  snprintf(name, sizeof name, "cache/index%d/shared_cpu_list", last);
  return read_sibling_file(root, cpu, name, place);
}

/* Who shares the level with cpu, itself included.  The second names are those
   of kernels before 5.3.  */
static struct place sharers(const char *root, enum place_level level, int cpu)
{
  struct place place;
  bool known = false;
  if (level == LEVEL_CORES)
    known = read_sibling_file(root, cpu, "topology/core_cpus_list", &place) ||
            read_sibling_file(root, cpu, "topology/thread_siblings_list", &place);
  else if (level == LEVEL_SOCKETS)
    known = read_sibling_file(root, cpu, "topology/package_cpus_list", &place) ||
            read_sibling_file(root, cpu, "topology/core_siblings_list", &place);
  else if (level == LEVEL_CACHES)
    known = read_last_cache(root, cpu, &place);
  if (!known)
    memset(&place, 0, sizeof place);
  ghcomp_place_add(&place, cpu);
  return place;
}

/* ---------------------------------------------------------------------- grouping */

static void group_by_sharers(const char *root, enum place_level level, unsigned most,
                             const struct place *allowed, struct place_list *list)
{
  struct place done = {{0}};
  for (int cpu = ghcomp_place_next(allowed, 0); cpu >= 0 && list->count < most;
       cpu = ghcomp_place_next(allowed, cpu + 1)) {
    if (ghcomp_place_has(&done, cpu))
      continue;
    struct place place = sharers(root, level, cpu);
    ghcomp_place_restrict(&place, allowed);
    ghcomp_place_unite(&done, &place);
    ghcomp_place_list_append(list, &place);
  }
}

static void group_by_node(const char *root, unsigned most, const struct place *allowed,
                          struct place_list *list)
{
  char path[PATH_MAX];
  struct place nodes, place;
  snprintf(path, sizeof path, "%s/node/online", root);
  if (!read_cpu_list(path, &nodes))
    memset(&nodes, 0, sizeof nodes);
  for (int node = ghcomp_place_next(&nodes, 0); node >= 0 && node < MOST_NODES;
       node = ghcomp_place_next(&nodes, node + 1)) {
    snprintf(path, sizeof path, "%s/node/node%d/cpulist", root, node);
    if (list->count == most || !read_cpu_list(path, &place))
      continue;
    ghcomp_place_restrict(&place, allowed);
    if (ghcomp_place_next(&place, 0) >= 0)
      ghcomp_place_list_append(list, &place);
  }
  if (list->count == 0) /* a kernel without NUMA: one node */
    ghcomp_place_list_append(list, allowed);
}

void ghcomp_places_topology_group(const char *root, enum place_level level, unsigned most,
                                  const struct place *allowed, struct place_list *list)
{
  *list = (struct place_list){NULL, 0};
  if (level == LEVEL_NODES)
    group_by_node(root, most, allowed, list);
  else
    group_by_sharers(root, level, most, allowed, list);
}
