/* Abstract place names: one place for each core, last-level cache, socket or memory node.  */
#include "places/places.h"

#include "base/text.h"
#include "machine/processors.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 1024, LONGEST_NAME = 64 };

static const char *const names[] = {"threads", "cores", "ll_caches", "sockets", "numa_domains", NULL};

const char *ghcomp_places_topology_name_before_number(const char *text)
{
  for (const char *const *name = names; *name != NULL; name++)
    if (strncasecmp(text, *name, strlen(*name)) == 0 && text[strlen(*name)] == '(')
      return *name;
  return NULL;
}

bool ghcomp_places_topology_name(const char *text, enum place_level *level, unsigned *most)
{
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

/* ---------------------------------------------------------------------- grouping */

/* A hardware thread is a place of its own.  */
static struct processor_set sharers(const char *root, enum place_level level, int cpu)
{
  struct processor_set alone = {{0}};
  switch (level) {
  case LEVEL_CORES:
    return ghcomp_topology_sharers(root, SHARE_CORE, cpu);
  case LEVEL_CACHES:
    return ghcomp_topology_sharers(root, SHARE_CACHE, cpu);
  case LEVEL_SOCKETS:
    return ghcomp_topology_sharers(root, SHARE_SOCKET, cpu);
  case LEVEL_THREADS:
  case LEVEL_NODES:
    break;
  }
  ghcomp_processors_add(&alone, cpu);
  return alone;
}

bool ghcomp_places_topology_knows(const char *root, enum place_level level, const struct processor_set *allowed)
{
  int first = ghcomp_processors_next(allowed, 0);
  return first < 0 || (level != LEVEL_CORES && level != LEVEL_SOCKETS) ||
         ghcomp_topology_knows(root, level == LEVEL_CORES ? SHARE_CORE : SHARE_SOCKET, first);
}

static void group_by_sharers(const char *root, enum place_level level, unsigned most,
                             const struct processor_set *allowed, struct place_list *list)
{
  struct processor_set done = {{0}};
  for (int cpu = ghcomp_processors_next(allowed, 0); cpu >= 0 && list->count < most;
       cpu = ghcomp_processors_next(allowed, cpu + 1)) {
    if (ghcomp_processors_has(&done, cpu))
      continue;
    struct processor_set place = sharers(root, level, cpu);
    ghcomp_processors_restrict(&place, allowed);
    ghcomp_processors_unite(&done, &place);
    ghcomp_place_list_append(list, &place);
  }
}

static void group_by_node(const char *root, unsigned most, const struct processor_set *allowed,
                          struct place_list *list)
{
  struct processor_set place, nodes = ghcomp_topology_nodes(root);
  for (int node = ghcomp_processors_next(&nodes, 0); node >= 0 && node < MOST_NODES;
       node = ghcomp_processors_next(&nodes, node + 1)) {
    if (list->count == most || !ghcomp_topology_of_node(root, node, &place))
      continue;
    ghcomp_processors_restrict(&place, allowed);
    if (ghcomp_processors_next(&place, 0) >= 0)
      ghcomp_place_list_append(list, &place);
  }
  if (list->count == 0) /* a kernel without NUMA has one node */
    ghcomp_place_list_append(list, allowed);
}

void ghcomp_places_topology_group(const char *root, enum place_level level, unsigned most,
                                  const struct processor_set *allowed, struct place_list *list)
{
  *list = (struct place_list){NULL, 0};
  if (level == LEVEL_NODES)
    group_by_node(root, most, allowed, list);
  else
    group_by_sharers(root, level, most, allowed, list);
}
