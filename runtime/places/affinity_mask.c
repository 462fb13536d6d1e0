/* Masks of processors as objects of the program (kmp_affinity_mask_t).  */
#include "places/places.h"

#include "base/memory.h"

struct processor_set *ghcomp_affinity_mask_make(void)
{
  return ghcomp_memory_get_zero(sizeof(struct processor_set));
}

void ghcomp_affinity_mask_release(struct processor_set *mask)
{
  ghcomp_memory_release(mask);
}

int ghcomp_affinity_mask_processors(void)
{
  unsigned count = ghcomp_machine_configured_processors();
  return count < MAX_PROCESSORS ? (int)count : MAX_PROCESSORS;
}

int ghcomp_affinity_mask_change(struct processor_set *mask, int processor, bool in)
{
  if (processor < 0 || processor >= ghcomp_affinity_mask_processors())
    return -1;
  if (in)
    ghcomp_processors_add(mask, processor);
  else
    ghcomp_processors_remove(mask, processor);
  return 0;
}

int ghcomp_affinity_mask_has(const struct processor_set *mask, int processor)
{
  if (processor < 0 || processor >= ghcomp_affinity_mask_processors())
    return -1;
  return ghcomp_processors_has(mask, processor);
}

void ghcomp_affinity_mask_get(struct processor_set *mask)
{
  *mask = ghcomp_places_allowed();
}

bool ghcomp_affinity_mask_set(const struct processor_set *mask)
{
  return ghcomp_machine_set_mask(mask);
}
