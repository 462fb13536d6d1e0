#include "places/places.h"

#include "machine/processors.h"

unsigned ghcomp_places_index_of(const struct place_list *list, int cpu)
{
  unsigned i = 0;
  while (i + 1 < list->count && !ghcomp_processors_has(&list->places[i], cpu))
    i++;
  return i;
}

/* How many processors of the set come before this one.  */
static unsigned rank_in(const struct processor_set *set, int cpu)
{
  unsigned rank = 0;
  for (int other = ghcomp_processors_next(set, 0); other >= 0 && other < cpu; other = ghcomp_processors_next(set, other + 1))
    rank++;
  return rank;
}

/* How many cores of the socket come before this one.  */
static unsigned core_in_socket(const struct place_list *cores, unsigned core, const struct processor_set *socket)
{
  unsigned before = 0;
  for (unsigned i = 0; i < core; i++)
    before += ghcomp_processors_has(socket, ghcomp_processors_next(&cores->places[i], 0));
  return before;
}

unsigned ghcomp_places_coordinates(const char *root, const struct processor_set *allowed, struct placed_processor *found)
{
  struct place_list sockets, cores;
  unsigned count = 0;
  ghcomp_places_topology_group(root, LEVEL_SOCKETS, MOST_PLACES, allowed, &sockets);
  ghcomp_places_topology_group(root, LEVEL_CORES, MOST_PLACES, allowed, &cores);
  for (int cpu = ghcomp_processors_next(allowed, 0); cpu >= 0; cpu = ghcomp_processors_next(allowed, cpu + 1)) {
    unsigned socket = ghcomp_places_index_of(&sockets, cpu), core = ghcomp_places_index_of(&cores, cpu);
    unsigned in_socket = core_in_socket(&cores, core, &sockets.places[socket]);
    found[count++] = (struct placed_processor){cpu, {socket, in_socket, rank_in(&cores.places[core], cpu)}};
  }
  ghcomp_place_list_free(&sockets);
  ghcomp_place_list_free(&cores);
  return count;
}
