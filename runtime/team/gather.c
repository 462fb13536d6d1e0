#include "team/team_wait.h"

#include "settings/icv.h"
#include "wait/parking.h"

enum { GATHER_WIDTH = 4 };

/* Teams of more threads gather in a tree.  For 8 threads one line takes 8 transfers in a row and a
   tree 6, but each level also has the cost of a climb.  */
enum { LARGEST_FLAT = 8 };

static unsigned groups_of(unsigned width)
{
  return (width + GATHER_WIDTH - 1) / GATHER_WIDTH;
}

/* How many of `width` threads come to the team's counter.  */
static unsigned heads_of(unsigned width)
{
  while (width > GATHER_WIDTH)
    width = groups_of(width);
  return width;
}

/* If threads outnumber processors, they arrive when the system lets them, and not all at once.
   Then a tree only adds additions.  */
static bool wants_tree(unsigned size)
{
  if (ghcomp_settings.tree_given)
    return ghcomp_settings.tree_least_size != 0 && size >= ghcomp_settings.tree_least_size;
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
      store_relaxed(&team->members[i].gather_node.arrived[what], 0);
  store_relaxed(&team->barrier.arrived, 0);
  store_relaxed(&team->barrier.phase, 0);
}

/* The groups of the lowest level use the nodes of the first members, those of the next level the
   nodes after these, and so on.  There are fewer groups than members.  */
bool ghcomp_gather_climb(struct team *team, unsigned number, unsigned width, enum gathering what)
{
  struct member *nodes = team->members;
  while (width > GATHER_WIDTH) {
    unsigned group = number / GATHER_WIDTH, groups = groups_of(width);
    unsigned length = group + 1 < groups ? GATHER_WIDTH : width - group * GATHER_WIDTH;
    _Atomic uint32_t *arrived = &nodes[group].gather_node.arrived[what];
    /* Releases what this thread and those below it did; the last of the group acquires all of
       it.  */
    if (add_acq_rel(arrived, 1) + 1 != length)
      return false;
    /* No thread uses the node again before the whole team has been released, which needs the
       additions after this store.  */
    store_relaxed(arrived, 0);
    nodes += groups;
    number = group;
    width = groups;
  }
  return true;
}
