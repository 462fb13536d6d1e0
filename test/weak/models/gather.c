/* Five members climb a tree, twice.  The last head sees what all members did, and the nodes are
   used again.  Three threads play the members.
   code: team/gather.c.  */
#include "made_team.h"
#include "team/team_wait.h"

enum { SIZE = 5 };
unsigned weak_threads = 3;
static const unsigned first[] = {0, 2, 4, 5};
static int written[SIZE];
static _Atomic uint32_t heads, phase;

void weak_setup(void)
{
  make_members(SIZE);
  ghcomp_settings.tree_given = true;
  ghcomp_settings.tree_least_size = SIZE;
  ghcomp_gather_shape(team);
}

static void arrive(unsigned member, int round)
{
  written[member] = round;
  if (!ghcomp_gather_is_head(team, member, GATHER_BARRIER))
    return;
  if (add_acq_rel_at(0, &heads, 1) + 1 != (uint32_t)round * team->heads)
    return;
  for (unsigned i = 0; i < SIZE; i++)
    weak_assert(written[i] == round);
  store_release_at(0, &phase, (uint32_t)round);
}

void weak_thread(unsigned number)
{
  for (int round = 1; round <= 2; round++) {
    for (unsigned i = first[number]; i < first[number + 1]; i++)
      arrive(i, round);
    if (load_acquire_at(0, &phase) < (uint32_t)round)
      weak_spin();
  }
}

void weak_end(void)
{
}
