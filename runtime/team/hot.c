/* Hot teams: the team that a member forked last keeps its workers for the next region.  This file
   makes, grows, shrinks and gives back teams.  A hot team of the right size does not come here.  */
#include "team/fork.h"

#include "base/memory.h"
#include "machine/disturbance.h"
#include "machine/processors.h"
#include "task/search.h"
#include "task/stack.h"
#include "task/steal.h"
#include "team/team.h"
#include "team/team_wait.h"
#include "threads/substrate.h"
#include "work/slots.h"

void ghcomp_team_cool(struct member *m, const struct thread *master)
{
  struct team *team = m->hot;
  if (team == NULL)
    return;
  m->hot = NULL;
  uint32_t expected = TEAM_IDLE;
  cas_relaxed(&team->state, &expected, TEAM_BUSY); /* from now on the pool does not strip it */
  for (unsigned i = 0; i < team->capacity; i++)
    ghcomp_team_cool(&team->members[i], master);
  ghcomp_pool_release(team, 0, master);
  team->members[0].thread = NULL;
  ghcomp_reuse_return_team(team);
}

/* The size has changed: counters and slots begin again.  */
static void resize(struct team *team, unsigned size)
{
  for (unsigned i = 0; i < team->capacity; i++) {
    store_relaxed(&team->members[i].tasks_created, 0);
    store_relaxed(&team->members[i].tasks_done, 0);
    ghcomp_reserve_begin(&team->members[i], size);
  }
  store_relaxed(&team->tasks.done_elsewhere, 0);
  ghcomp_slots_reset(team);
  team->members[0].work.next_slot = team->first_slot;
  team->binding.assigned = false;
  team->size = size;
  team->own_tasks_only = size == 1 || team->detached;
  team->within_processors = size <= ghcomp_machine_processors();
  team->stack_share = ghcomp_stack_share();
  ghcomp_gather_shape(team);
  ghcomp_search_shape(team);
}

/* In a Haskell program many threads start regions at once.  Each has a contention group of its own,
   so each region would get as many threads as there are Capabilities.  Therefore the pool does not
   grow beyond that number for regions of which nobody requested a size: a region that finds the
   workers busy has a smaller team.  A size that the thread was told counts as requested, because a
   library divides its work by that number, and the parts may wait for each other.  So does every size
   with OMP_DYNAMIC=false.  The size of a Haskell loop's region does not count as requested: it is only the most helpers
   that the loop can use.  */
static unsigned most_workers(const struct region *region, const struct icv *icv, bool exact)
{
  bool asked = !region->detached && (region->threads != 0 || icv->nthreads != 0 || exact);
  unsigned capabilities = asked ? 0 : ghcomp_substrate_host_capabilities();
  return capabilities != 0 ? capabilities - 1 : UINT_MAX;
}

/* For `size` threads, or for as many as there is memory for.  */
static struct team *take_new_team(unsigned size)
{
  struct team *team = ghcomp_reuse_try_team(size);
  for (unsigned fewer = size / 2; team == NULL && fewer != 0; fewer /= 2)
    team = ghcomp_reuse_try_team(fewer);
  ghcomp_memory_demand(team, sizeof *team);
  if (team->capacity < size)
    ghcomp_pool_say_refused("malloc: out of memory for its descriptor", size - 1, team->capacity - 1);
  return team;
}

struct team *ghcomp_team_take_slowly(struct member *parent, struct team *team, unsigned size,
                                     const struct region *region, bool exact)
{
  if (team == NULL) {
    struct held held = ghcomp_machine_hold();
    ghcomp_team_cool(parent, parent->thread);
    team = take_new_team(size);
    ghcomp_machine_let(held);
    size = size < team->capacity ? size : team->capacity;
    team->size = 0;
    team->had_workers = false;
    team->pool.outermost = parent->team->parent == NULL;
    parent->hot = team;
  }
  if (team->workers + 1 > size) {
    ghcomp_pool_release(team, size - 1, parent->thread);
  } else if (team->workers + 1 < size) {
    ghcomp_substrate_start(ghcomp_icv_default_threads());
    ghcomp_pool_supply(team, size - 1, most_workers(region, parent->task->icv, exact), parent->thread);
    size = team->workers + 1;
    team->had_workers = true;
  }
  if (team->size != size)
    resize(team, size);
  return team;
}
