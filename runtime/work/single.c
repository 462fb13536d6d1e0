/* single: the first member that comes has it.  copyprivate: the others wait
   until its data is there.  */
#include "work/single.h"

#include "wait/parking.h"
#include "work/slots.h"

static bool claim(struct slot *slot)
{
  /* Relaxed: the claim orders nothing; the construct's barrier does.  */
  return load_relaxed(&slot->claimed) == 0 && swap_relaxed(&slot->claimed, 1) == 0;
}

bool ghcomp_single_claim(struct member *member)
{
  if (member->team->size == 1)
    return true;
  return claim(ghcomp_slots_enter(member));
}

static void *wait_for_data(struct member *member, struct slot *slot)
{
  struct thread *self = member->thread;
  struct team *team = member->team;
  struct waiting w = ghcomp_parking_begin(&self->waiter, &team->crew);
  void *data;
  while ((data = load_acquire(&slot->copied)) == NULL) { /* pairs with publish */
    if (ghcomp_parking_spin(&w))
      continue;
    ghcomp_parking_prepare(&self->waiter, &team->crew, PARK_FOR_NOTHING);
    if (load_seq_cst(&slot->copied) == NULL)
      ghcomp_parking_sleep(&self->waiter);
    ghcomp_parking_finish(&self->waiter, &team->crew);
  }
  return data;
}

void *ghcomp_single_claim_or_wait(struct member *member)
{
  struct slot *slot = ghcomp_slots_enter(member);
  member->single = slot;
  if (claim(slot))
    return NULL;
  return wait_for_data(member, slot);
}

void ghcomp_single_publish(struct member *member, void *data)
{
  swap_seq_cst(&member->single->copied, data);
  ghcomp_parking_wake_crew(&member->team->crew);
}
