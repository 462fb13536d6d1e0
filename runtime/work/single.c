/* single: the first member that comes executes the construct. copyprivate: the others wait for its
   data.  */
#include "work/slots.h"

#include "state/thread.h"
#include "wait/loop.h"

static bool claim(struct slot *slot)
{
  /* Relaxed: the claim orders nothing; the barrier of the construct does.  */
  return load_relaxed(&slot->single_claimed) == 0 && swap_relaxed(&slot->single_claimed, 1) == 0;
}

bool ghcomp_single_claim(struct member *member)
{
  if (member->team->size == 1)
    return true;
  return claim(ghcomp_slots_enter(member));
}

bool ghcomp_single_claim_to_copy(struct member *member)
{
  if (member->team->size == 1)
    return true;
  member->work.current_slot = ghcomp_slots_enter(member);
  return claim(member->work.current_slot);
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
  if (claim(slot))
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
