/* Where each processor is in the machine.  */
#ifndef GHCOMP_PLACES_COORDINATES_H
#define GHCOMP_PLACES_COORDINATES_H

#include "places/places.h"

/* From outside to inside: the number of its socket, of its core in the socket, of its thread in the core.
   They count what is allowed only.  */
enum { COORDINATES = 3 };

struct placed_processor {
  int cpu;
  unsigned at[COORDINATES];
};

/* Those of all allowed processors, in the order of their numbers.  `root`: as for
   ghcomp_places_topology_group; `found`: room for as many as are allowed.  Returns how many.  */
unsigned ghcomp_places_coordinates(const char *root, const struct processor_set *allowed,
                                   struct placed_processor *found);

/* Which place of the list has the processor; the last index where none has.  */
unsigned ghcomp_places_index_of(const struct place_list *list, int cpu);

#endif
