#include "team/team_wait.h"

#include "settings/icv.h"
#include "wait/parking.h"

#ifndef GATHER_WIDTH /* a model has small ones */
#define GATHER_WIDTH 4u
#endif

/* How many threads or groups count on one line: groups of four, then pairs of these, then fours of such pairs, and so on.
   Two levels make a group of MEMBER_GROUP.  */
static inline unsigned width_at(unsigned level)
{
  return level % 2 == 0 ? GATHER_WIDTH : 2;
}

/* Teams of more threads gather in a tree.  For 8 threads one line takes 8 transfers in a row and a
   tree 6, but each level also has the cost of a climb.  */
enum { LARGEST_FLAT = 8 };

/* In teams up to this size all members look at the barrier's phase.  A group is told by a thread that sees the end at its own
   next look.  So with groups a barrier of 16 threads took as long, and after a long wait a quarter longer (simulated).  */
enum { LARGEST_RELEASED_AT_ONCE = 16 };

static inline unsigned groups_of(unsigned width, unsigned level)
{
  return (width + width_at(level) - 1) / width_at(level);
}

/* How many of `width` threads come to the team's counter.  */
static unsigned heads_of(unsigned width)
{
  for (unsigned level = 0; width > width_at(level); level++)
    width = groups_of(width, level);
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
  tree = team->heads != team->size; /* a few threads all are heads */
  team->worker_heads = tree ? team->heads : team->size - 1;
  team->released_by_groups = tree && team->size > LARGEST_RELEASED_AT_ONCE;
  ghcomp_gather_reset(team);
}

void ghcomp_gather_reset(struct team *team)
{
  for (unsigned i = 0; ghcomp_gather_is_tree(team) && i < team->capacity; i++) {
    for (unsigned what = 0; what < GATHERINGS; what++)
      store_relaxed(&team->members[i].gather_node.arrived[what], 0);
    store_relaxed(&team->members[i].group.released, 0);
  }
  store_relaxed(&team->barrier.arrived, 0);
  store_relaxed(&team->barrier.phase, 0);
}

/* The groups of the lowest level use the nodes of the first members, those of the next level the
   nodes after these, and so on.  There are fewer groups than members.  */
unsigned ghcomp_gather_climb(struct team *team, unsigned number, enum gathering what)
{
  struct member *nodes = team->members;
  unsigned width = team->size, level = 0;
  /* The master does not arrive at a join, so its group of workers has one less.  */
  unsigned absent = number < width_at(0) && what == GATHER_JOIN && !team->detached;
  for (; width > width_at(level); level++) {
    unsigned group = number / width_at(level), groups = groups_of(width, level);
    unsigned length = (group + 1 < groups ? width_at(level) : width - group * width_at(level)) - absent;
    _Atomic uint32_t *arrived = &nodes[group].gather_node.arrived[what];
    /* Releases what this thread and those below it did; the last of the group acquires all of
       it.  */
    if (add_acq_rel(arrived, 1) + 1 != length)
      return level;
    /* No thread uses the node again before the whole team has been released, which needs the
       additions after this store.  */
    store_relaxed(arrived, 0);
    nodes += groups;
    number = group;
    width = groups;
    absent = 0;
  }
  return GATHER_TOP;
}
