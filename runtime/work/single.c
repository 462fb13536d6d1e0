/* single: the first member that comes executes the construct. copyprivate: the others wait for its
   data.

   In a large team all members would come to the slot's line, one after the other.  So only the first member of each group
   goes on, in a team of several clusters of groups only the first of each cluster, and only these claim the slot.

   Invariant: `claimed` of a group is the number of a construct that a member of the group has come to, and never goes back.
   The member that raises it to a construct's number goes on there.  One does for each single that the group comes to: a
   member raises it to a later construct only when it has come to the earlier one.  A word of this kind for the cluster would
   lose constructs: who goes on from a group to the later one may come to that word before who goes on from it to the earlier
   one.  So the cluster has a mark for each construct.  One of those that come to it sets it, and goes on.  So somebody claims the
   slot.
   Models: test/weak/models/single_groups.c, single_clusters.c.  */
#include "work/slots.h"

#include "state/thread.h"
#include "wait/loop.h"

/* Members of a cluster.  Its groups come to one mark, one after the other.  With 16 or 32 a single of 128 took longer, and so did
   one of 32 (simulated).  */
#ifndef SINGLE_CLUSTER /* a model has small ones */
#define SINGLE_CLUSTER 64u
#endif

/* All is relaxed: the claim orders nothing; the barrier of the construct does.  */
static bool is_first(_Atomic uint64_t *claimed, uint64_t construct)
{
  uint64_t seen = load_relaxed(claimed);
  while (seen < construct)
    if (cas_relaxed(claimed, &seen, construct))
      return true;
  return false;
}

/* Relaxed, too.  Who clears the block acquires the marks with what else its members did.  More clusters than lines share them; then
   one of all these goes on.  */
static bool marks_first(const struct member *member)
{
  _Atomic bool *mark = ghcomp_slots_mark(member, member->number / SINGLE_CLUSTER % MARK_LINES);
  ghcomp_slots_use_marks(member);
  return !load_relaxed(mark) && !swap_relaxed(mark, true);
}

static __attribute__((noinline)) bool goes_on(const struct member *member)
{
  const struct team *team = member->team;
  unsigned number = member->number;
  return is_first(&member->team->members[number - number % MEMBER_GROUP].group.claimed, ghcomp_slots_number(member)) &&
         (team->size <= SINGLE_CLUSTER || marks_first(member));
}

static bool claim(const struct member *member, struct slot *slot)
{
  if (unlikely(member->team->size > MEMBER_GROUP) && !goes_on(member))
    return false;
  return load_relaxed(&slot->single_claimed) == 0 && swap_relaxed(&slot->single_claimed, 1) == 0;
}

bool ghcomp_single_claim(struct member *member)
{
  if (member->team->size == 1)
    return true;
  return claim(member, ghcomp_slots_enter_shared(member));
}

bool ghcomp_single_claim_to_copy(struct member *member)
{
  if (member->team->size == 1)
    return true;
  member->work.current_slot = ghcomp_slots_enter_shared(member);
  return claim(member, member->work.current_slot);
}

struct data_wait {
  struct wait wait;
  struct slot *slot;
};

static inline bool is_there(struct wait *wait)
{
  return load_seq_cst(&((struct data_wait *)wait)->slot->published) != NULL; /* pairs with publish */
}

static const struct wait_kind until_data = {.is_over = is_there};

static void *wait_for_data(struct member *member, struct slot *slot)
{
  struct team *team = member->team;
  struct data_wait data = {{.self = &member->thread->waiter, .crew = &team->crew, .has_processors = ghcomp_team_has_processors(team)}, slot};
  ghcomp_wait(&until_data, &data.wait);
  return load_relaxed(&slot->published);
}

void *ghcomp_single_claim_or_wait(struct member *member)
{
  struct slot *slot = ghcomp_slots_enter(member);
  member->work.current_slot = slot;
  if (claim(member, slot))
    return NULL;
  return wait_for_data(member, slot);
}

void *ghcomp_single_wait(struct member *member)
{
  return wait_for_data(member, member->work.current_slot);
}

void ghcomp_single_publish(struct member *member, void *data)
{
  swap_seq_cst(&member->work.current_slot->published, data);
  ghcomp_parking_wake_crew(&member->team->crew);
}
