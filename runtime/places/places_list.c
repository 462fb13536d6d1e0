/* Sets of processors and lists of them.  */
#include "places/places.h"

#include "base/memory.h"

#include <string.h>

static unsigned long bit(int cpu)
{
  return 1ul << ((unsigned)cpu % BITS_PER_WORD);
}

bool ghcomp_place_has(const struct place *place, int cpu)
{
  return (place->words[(unsigned)cpu / BITS_PER_WORD] & bit(cpu)) != 0;
}

bool ghcomp_place_add(struct place *place, long cpu)
{
  if (cpu < 0 || cpu >= MAX_CPUS)
    return false;
  place->words[(unsigned)cpu / BITS_PER_WORD] |= bit((int)cpu);
  return true;
}

void ghcomp_place_remove(struct place *place, int cpu)
{
  place->words[(unsigned)cpu / BITS_PER_WORD] &= ~bit(cpu);
}

unsigned ghcomp_place_size(const struct place *place)
{
  unsigned count = 0;
  for (unsigned i = 0; i < MAX_CPUS / BITS_PER_WORD; i++)
    count += (unsigned)__builtin_popcountl(place->words[i]);
  return count;
}

int ghcomp_place_next(const struct place *place, int cpu)
{
  if (cpu >= MAX_CPUS)
    return -1;
  unsigned i = (unsigned)cpu / BITS_PER_WORD;
  unsigned long word = place->words[i] & ~(bit(cpu) - 1);
  while (word == 0 && ++i < MAX_CPUS / BITS_PER_WORD)
    word = place->words[i];
  return word != 0 ? (int)(i * BITS_PER_WORD) + __builtin_ctzl(word) : -1;
}

bool ghcomp_place_equal(const struct place *a, const struct place *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

void ghcomp_place_restrict(struct place *place, const struct place *to)
{
  for (unsigned i = 0; i < MAX_CPUS / BITS_PER_WORD; i++)
    place->words[i] &= to->words[i];
}

void ghcomp_place_unite(struct place *place, const struct place *with)
{
  for (unsigned i = 0; i < MAX_CPUS / BITS_PER_WORD; i++)
    place->words[i] |= with->words[i];
}

bool ghcomp_place_list_append(struct place_list *list, const struct place *place)
{
  if (list->count == MOST_PLACES)
    return false;
  if ((list->count & (list->count - 1)) == 0) { /* full: capacities are powers of two */
    size_t capacity = list->count == 0 ? 1 : 2 * (size_t)list->count;
    struct place *more = ghcomp_memory_get(capacity * sizeof *more);
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
