#include "team/gather.h"

#include "settings/icv.h"
#include "wait/parking.h"

enum { GATHER_WIDTH = 4 };

/* Teams of more threads gather in a tree: of 8, one line takes 8 transfers in a row and
   the tree 6, and each level adds what a climb costs.  */
enum { LARGEST_FLAT = 8 };

static unsigned groups_of(unsigned width)
{
  return (width + GATHER_WIDTH - 1) / GATHER_WIDTH;
}

/* How many of `width` come to the team's counter.  */
static unsigned heads_of(unsigned width)
{
  while (width > GATHER_WIDTH)
    width = groups_of(width);
  return width;
}

/* Threads that outnumber processors arrive when the system lets them, not all at
   once, and the shape decides nothing but the number of additions.  */
static bool wants_tree(unsigned size)
{
  if (ghcomp_settings.tree_given)
    return ghcomp_settings.tree != 0 && size >= ghcomp_settings.tree;
  return size > LARGEST_FLAT && !ghcomp_parking_is_crowded();
}

void ghcomp_gather_shape(struct team *team)
{
  bool tree = wants_tree(team->size);
  team->heads = tree ? heads_of(team->size) : team->size;
  team->worker_heads = tree ? heads_of(team->size - 1) : team->size - 1;
  ghcomp_gather_reset(team);
}

void ghcomp_gather_reset(struct team *team)
{
  for (unsigned i = 0; ghcomp_gather_is_tree(team) && i < team->capacity; i++)
    for (unsigned what = 0; what < GATHERINGS; what++)
      store_relaxed(&team->members[i].node.arrived[what], 0);
  store_relaxed(&team->barrier.arrived, 0);
  store_relaxed(&team->barrier.phase, 0);
}

/* The groups of the lowest level have the nodes of the first members, those of the next
   level the nodes after them, and so on: fewer than there are members.  */
bool ghcomp_gather_climb(struct team *team, unsigned number, unsigned width, enum gathering what)
{
  struct member *nodes = team->members;
  while (width > GATHER_WIDTH) {
    unsigned group = number / GATHER_WIDTH, groups = groups_of(width);
    unsigned length = group + 1 < groups ? GATHER_WIDTH : width - group * GATHER_WIDTH;
    _Atomic uint32_t *arrived = &nodes[group].node.arrived[what];
    /* Releases what the arriver and those below it did; the last acquires all of it.  */
    if (add_acq_rel(arrived, 1) + 1 != length)
      return false;
    /* Nobody comes here again before the whole team has been released, which comes
       after this in the order of the additions.  */
    store_relaxed(arrived, 0);
    nodes += groups;
    number = group;
    width = groups;
  }
  return true;
}
