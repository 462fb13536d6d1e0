/* A place as a set of processors, and lists of places: what the places*.c
   files share, and nobody else.  */
#ifndef GHCOMP_PLACES_PLACES_LIST_H
#define GHCOMP_PLACES_PLACES_LIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  MAX_CPUS = 8192, /* what Linux can be built for */
  MOST_PLACES = MAX_CPUS,
  BITS_PER_WORD = 8 * sizeof(unsigned long),
};

struct place {
  unsigned long words[MAX_CPUS / BITS_PER_WORD]; /* the bytes of a cpu_set_t */
};

struct place_list {
  struct place *places;
  unsigned count;
};

bool ghcomp_place_has(const struct place *place, int cpu);
bool ghcomp_place_add(struct place *place, long cpu); /* false: no such number */
void ghcomp_place_remove(struct place *place, int cpu);
unsigned ghcomp_place_size(const struct place *place);
int ghcomp_place_next(const struct place *place, int cpu); /* the least from cpu on; -1: none */
bool ghcomp_place_equal(const struct place *a, const struct place *b);
void ghcomp_place_restrict(struct place *place, const struct place *to);
void ghcomp_place_unite(struct place *place, const struct place *with);

bool ghcomp_place_list_append(struct place_list *list, const struct place *place); /* false: full */
void ghcomp_place_list_free(struct place_list *list);

/* places_parse.c.  The text may name processors that do not exist here.  False
   for what is not in the grammar; the list is then empty.  */
bool ghcomp_places_parse_list(const char *text, struct place_list *list);     /* OMP_PLACES */
bool ghcomp_places_parse_affinity(const char *text, struct place_list *list); /* GOMP_CPU_AFFINITY */

/* places_topology.c */
enum place_level { LEVEL_THREADS, LEVEL_CORES, LEVEL_CACHES, LEVEL_SOCKETS, LEVEL_NODES };

/* "cores", "sockets(2)"; *most is the number in parentheses, or MOST_PLACES.  */
bool ghcomp_places_topology_name(const char *text, enum place_level *level, unsigned *most);

/* One place for each group of the level that has allowed processors, in the
   order of their first processor (nodes: of their numbers), `most` at the most.
   root is "/sys/devices/system", or a copy of it in a test.  */
void ghcomp_places_topology_group(const char *root, enum place_level level, unsigned most,
                                  const struct place *allowed, struct place_list *list);

#endif
